(** [C1, C2, C3, C4] Cuts: inequalities between the rows of named instances that hold in every release. *)
From Coq Require Import ZArith List Bool Lia Permutation PArith.
From Incrowd Require Import Statement Sums Model Reading Walk Dominance Prices Components.
Import ListNotations.
Open Scope Z_scope.

(** An instance that a tree names: its number there, its vector, what it shows, its row types. *)
Record named := Named { number : Z; stands : vector; face : list label; rows : list type }.
Definition same_instance (x y : named) : bool := vector_eqb (stands x) (stands y) && labels_eqb (face x) (face y).
Fixpoint distinct (l : list named) : bool :=
  match l with [] => true | x :: l' => forallb (fun y => negb (same_instance x y)) l' && distinct l' end.

(** Row types are given by their numbers, instances by theirs. *)
Inductive cut :=
| CutC (instances : list Z)
| CutT (types instances : list Z)
| CutS (types : list Z) (pairs : list (Z * (Z * Z)))
| CutF (types part full : list Z).
Definition number_set := trie Z.
Definition set_of (l : list Z) : number_set := part_by key l.
Definition member (z : Z) (s : number_set) : bool := existsb (Z.eqb z) (get (key z) s).
Definition listed (l : list Z) (n : named) : bool := existsb (Z.eqb (number n)) l.
Definition here (s : number_set) (i : type) : bool := member (place i) s.
Definition as_number (b : bool) : Z := if b then 1 else 0.
Definition rows_in (b : type -> bool) (ts : list type) : Z := sum (fun i => Z.max 0 (count i) * as_number (b i)) ts.

(** What a cut says, times its divisor: the sum, over the named instances that are open, of [opens] and of what every row of
    them [takes] is at most [side]. *)
Record inequality := Inequality { divisor : Z; side : Z; touches : named -> bool; opens : named -> Z; takes : named -> type -> Z }.

Section Reading.
Variable k : Z.
Variable own : list type.
Variable names : list named.

Definition together (x y : named) : Z := rows_of (filter (fun i => alike (stands x) (face x) i || alike (stands y) (face y) i) own).
Fixpoint crossing (l : list named) : bool :=
  match l with [] => true | x :: l' => forallb (fun y => together x y <? 2 * k) l' && crossing l' end.
Definition pair_of (pairs : list (Z * (Z * Z))) (n : named) : option (Z * Z) :=
  match find (fun x => fst x =? number n) pairs with Some x => Some (snd x) | None => None end.
Definition good_pair (types : list Z) (x : Z * (Z * Z)) : bool :=
  let (a, b) := snd x in negb (a =? b) && existsb (Z.eqb a) types && existsb (Z.eqb b) types.
Definition is_type (z : Z) (i : type) : bool := place i =? z.

Definition cut_C (instances : list Z) : option inequality :=
  if crossing (filter (listed instances) names)
  then Some (Inequality 1 1 (listed instances) (fun n => as_number (listed instances n)) (fun _ _ => 0)) else None.
Definition cut_T (types instances : list Z) : option inequality :=
  let s := set_of types in let n := rows_in (here s) own in let r := n mod k in let q := n / k in
  if (0 <? k) && (0 <? r)
  then Some (Inequality (k - r) (q * (k - r)) (listed instances) (fun g => (k - r) * as_number (listed instances g))
         (fun g i => if listed instances g then - as_number (negb (here s i)) else 0)) else None.
Definition cut_S (types : list Z) (pairs : list (Z * (Z * Z))) : option inequality :=
  match types with
  | [_; _; _] =>
      if (1 <=? k) && forallb (fun z => rows_in (is_type z) own =? 1) types && forallb (good_pair types) pairs
      then Some (Inequality 1 1 (fun g => match pair_of pairs g with Some _ => true | None => false end)
             (fun g => match pair_of pairs g with Some _ => -1 | None => 0 end)
             (fun g i => match pair_of pairs g with
                         | Some (a, b) => as_number (is_type a i) + as_number (is_type b i) | None => 0 end)) else None
  | _ => None
  end.
Definition cut_F (types part full : list Z) : option inequality :=
  let s := set_of types in let h := number_of (listed full) names in let c := rows_in (here s) own - k * h in
  let z := Z.min k (sum (fun g => Z.max 0 (rows_in (here s) (rows g) - c)) (filter (listed part) names)) in
  if (0 <=? k) && (0 <=? c) && forallb (fun g => negb (listed part g && listed full g)) names
  then Some (Inequality 1 (z * h) (fun g => listed part g || listed full g)
         (fun g => if listed part g then - c else if listed full g then z else 0)
         (fun g i => if listed part g then as_number (here s i)
                     else if listed full g then - as_number (negb (here s i)) else 0)) else None.
Definition inequality_of (c : cut) : option inequality :=
  match c with
  | CutC instances => cut_C instances
  | CutT types instances => cut_T types instances
  | CutS types pairs => cut_S types pairs
  | CutF types part full => cut_F types part full
  end.
End Reading.

Lemma same_true x y : same_instance x y = true <-> stands x = stands y /\ face x = face y.
Proof. unfold same_instance. rewrite andb_true_iff, vector_eqb_eq, labels_eqb_eq. tauto. Qed.
Lemma distinct_filter b l : distinct l = true -> distinct (filter b l) = true.
Proof.
  induction l as [|x l IH]; simpl; auto. intros H. apply andb_prop in H. destruct H as [H1 H2]. specialize (IH H2).
  destruct (b x); auto. simpl. rewrite IH, andb_true_r. rewrite forallb_forall in *. intros y Hy. apply H1.
  apply filter_In in Hy. tauto.
Qed.

(** * Every cut holds *)
Section Holds.
Variable k : Z.
Variable own : list type.
Variable names : list named.
Variable taken : named -> list type.      (* the rows of a release that lie in an instance, by their types *)
Definition open (n : named) : Z := match taken n with [] => 0 | _ => 1 end.
Definition held (b : type -> bool) (n : named) : Z := number_of b (taken n).
Hypothesis names_distinct : distinct names = true.
Hypothesis crowded : forall n, In n names -> taken n <> [] -> k <= sum (fun _ => 1) (taken n).
Hypothesis apart_rows : forall f l, distinct l = true -> (forall i, 0 <= f i) ->
  sum (fun n => sum f (taken n)) l <= sum (fun i => Z.max 0 (count i) * f i) own.
Hypothesis taken_alike : forall n i, In n names -> In i (taken n) -> alike (stands n) (face n) i = true.
Hypothesis chosen : forall n, In n names -> chosen_from (taken n) (rows n).

Definition holds (q : inequality) : Prop :=
  sum (fun n => opens q n * open n + sum (takes q n) (taken n)) names <= side q.

Lemma open_cases n : (open n = 0 /\ taken n = []) \/ (open n = 1 /\ taken n <> []).
Proof. unfold open. destruct (taken n); [left|right]; split; congruence. Qed.
Lemma held_nonneg b n : 0 <= held b n.
Proof. apply number_of_nonneg. Qed.
Lemma held_apart b l : distinct l = true -> sum (held b) l <= rows_in b own.
Proof. intros D. apply (apart_rows (fun i => as_number (b i))); auto. intros i. unfold as_number. destruct (b i); lia. Qed.
Lemma held_all b n : held b n + held (fun i => negb (b i)) n = sum (fun _ => 1) (taken n).
Proof. unfold held, number_of. rewrite <- sum_add. apply sum_eq. intros i _. destruct (b i); reflexivity. Qed.
Lemma held_crowd b n : In n names -> k * open n <= held b n + held (fun i => negb (b i)) n.
Proof.
  intros Hn. rewrite held_all. destruct (open_cases n) as [[-> E]|[-> E]].
  - rewrite E. simpl. lia.
  - specialize (crowded n Hn E). lia.
Qed.
Lemma sum_less A (f g : A -> Z) l : sum (fun x => f x - g x) l = sum f l - sum g l.
Proof. induction l; simpl; lia. Qed.
Lemma sum_neg A (f : A -> Z) l : sum (fun x => - f x) l = - sum f l.
Proof. induction l; simpl; lia. Qed.

(** [C1] *)
Lemma C1_holds instances q : cut_C k own names instances = Some q -> holds q.
Proof.
  unfold cut_C, holds. destruct (crossing _ _ _) eqn:E; [|discriminate]. intros H. injection H as <-. cbn [opens takes side].
  rewrite (sum_eq _ _ (fun n => if listed instances n then open n else 0)).
  2:{ intros n _. rewrite sum_zero by reflexivity. unfold as_number. destruct (listed instances n); lia. }
  rewrite <- sum_filter. pose proof (distinct_filter (listed instances) names names_distinct) as D.
  assert (forall n, In n (filter (listed instances) names) -> In n names) as I by (intros n Hn; apply filter_In in Hn; tauto).
  set (l := filter (listed instances) names) in *. clearbody l. induction l as [|x l IH]; [simpl; lia|].
  cbn [crossing] in E. apply andb_prop in E. destruct E as [E1 E2]. pose proof D as Dx. cbn [distinct] in D.
  apply andb_prop in D. destruct D as [D1 D2]. specialize (IH E2 D2 (fun n Hn => I n (or_intror Hn))). cbn [sum].
  destruct (open_cases x) as [[-> _]|[-> Ox]]; [lia|].
  rewrite (sum_zero _ open l); [lia|]. intros y Hy. destruct (open_cases y) as [[-> _]|[_ Oy]]; auto. exfalso.
  rewrite forallb_forall in E1, D1. specialize (E1 y Hy). specialize (D1 y Hy). apply Z.ltb_lt in E1.
  pose proof (crowded x (I x (or_introl eq_refl)) Ox). pose proof (crowded y (I y (or_intror Hy)) Oy).
  set (b := fun i => alike (stands x) (face x) i || alike (stands y) (face y) i).
  pose proof (held_apart b [x; y]) as A. cbn [distinct forallb sum] in A. rewrite D1 in A. specialize (A eq_refl).
  assert (held b x = sum (fun _ => 1) (taken x)) as Hx.
  { apply sum_eq. intros i Hi. unfold b. rewrite (taken_alike x i); auto. apply I. left. reflexivity. }
  assert (held b y = sum (fun _ => 1) (taken y)) as Hy'.
  { apply sum_eq. intros i Hi. unfold b. rewrite (taken_alike y i), orb_true_r; auto. apply I. right. exact Hy. }
  assert (rows_in b own = together own x y) as R.
  { unfold together, rows_of, rows_in. rewrite sum_filter. apply sum_eq. intros i _. fold (b i). unfold as_number. destruct (b i); lia. }
  lia.
Qed.

(** [C2] *)
Lemma C2_holds types instances q : cut_T k own types instances = Some q -> holds q.
Proof.
  unfold cut_T, holds. set (s := set_of types). set (n := rows_in (here s) own). cbv zeta.
  destruct (0 <? k) eqn:K; [|discriminate]. apply Z.ltb_lt in K. destruct (0 <? n mod k) eqn:R; [|discriminate]. apply Z.ltb_lt in R.
  cbn [andb]. intros H. injection H as <-. cbn [opens takes side].
  rewrite (sum_eq _ _ (fun g => if listed instances g then (k - n mod k) * open g - held (fun i => negb (here s i)) g else 0)).
  2:{ intros g _. destruct (listed instances g); [rewrite sum_neg|rewrite sum_zero by reflexivity]; unfold held, number_of, as_number; lia. }
  rewrite <- sum_filter. pose proof (held_apart (here s) _ (distinct_filter (listed instances) names names_distinct)) as A.
  fold n in A. set (l := filter (listed instances) names) in *.
  assert (k * sum open l <= sum (held (here s)) l + sum (held (fun i => negb (here s i))) l) as C.
  { rewrite <- sum_mul, <- sum_add. apply sum_le. intros g Hg. apply held_crowd. apply filter_In in Hg. tauto. }
  assert (0 <= sum (held (fun i => negb (here s i))) l) as Y by (apply sum_nonneg; intros; apply held_nonneg).
  assert (sum (fun g => (k - n mod k) * open g - held (fun i => negb (here s i)) g) l
          = (k - n mod k) * sum open l - sum (held (fun i => negb (here s i))) l) as ->.
  { clear. induction l; simpl; lia. }
  pose proof (Z.div_mod n k ltac:(lia)) as DM. pose proof (Z.mod_pos_bound n k K) as MB.
  set (q := n / k) in *. set (r := n mod k) in *. set (o := sum open l) in *. set (y := sum (held _) l) in Y, C |- *.
  destruct (Z.le_gt_cases o q) as [L|G]; nia.
Qed.

(** [C3] *)
Lemma held_type z n : In n names -> rows_in (is_type z) own = 1 -> held (is_type z) n <= 1.
Proof. intros Hn R. pose proof (held_apart (is_type z) [n] eq_refl) as A. cbn [sum] in A. lia. Qed.
Lemma C3_holds types pairs q : cut_S k own types pairs = Some q -> holds q.
Proof.
  unfold cut_S, holds. destruct types as [|i [|j [|l [|]]]]; try discriminate. set (types := [i; j; l]).
  destruct (1 <=? k) eqn:K; [|discriminate]. apply Z.leb_le in K. destruct (forallb (fun z => _) types) eqn:R; [|discriminate].
  destruct (forallb (good_pair types) pairs) eqn:G; [|discriminate]. cbn [andb]. intros H. injection H as <-. cbn [opens takes side].
  rewrite forallb_forall in R, G. set (three := fun n => held (is_type i) n + held (is_type j) n + held (is_type l) n).
  set (term := fun n => _ : Z). assert (forall n, In n names -> 2 * term n <= three n) as T.
  { intros n Hn. unfold term. pose proof (held_nonneg (is_type i) n). pose proof (held_nonneg (is_type j) n).
    pose proof (held_nonneg (is_type l) n). destruct (pair_of pairs n) as [[a b]|] eqn:P.
    2:{ rewrite sum_zero by reflexivity. unfold three. lia. }
    unfold pair_of in P. destruct (find _ pairs) as [[x [a' b']]|] eqn:F; [|discriminate]. injection P as -> ->.
    apply find_some in F. destruct F as [F _]. specialize (G _ F). unfold good_pair in G. cbn [snd] in G.
    rewrite !andb_true_iff, !existsb_exists in G. destruct G as [[Nab [a' [Ia Ea]]] [b' [Ib Eb]]].
    apply Z.eqb_eq in Ea, Eb. subst a' b'. apply negb_true_iff, Z.eqb_neq in Nab.
    pose proof (R a Ia) as Ra. pose proof (R b Ib) as Rb. apply Z.eqb_eq in Ra, Rb.
    pose proof (held_type a n Hn Ra) as A1. pose proof (held_type b n Hn Rb) as B1.
    rewrite sum_add. fold (held (is_type a) n). fold (held (is_type b) n).
    change (sum (fun t => as_number (is_type a t)) (taken n)) with (held (is_type a) n).
    change (sum (fun t => as_number (is_type b t)) (taken n)) with (held (is_type b) n).
    destruct (open_cases n) as [[-> E]|[-> _]].
    { assert (forall b, held b n = 0) as Z0 by (intros; unfold held; rewrite E; reflexivity). unfold three. rewrite !Z0. lia. }
    assert (held (is_type a) n + held (is_type b) n <= three n) as Y; [|lia].
    unfold three, held, number_of. rewrite <- !sum_add. apply sum_le. intros t _. unfold is_type.
    simpl in Ia, Ib. destruct (Z.eqb_spec (place t) i), (Z.eqb_spec (place t) j), (Z.eqb_spec (place t) l),
      (Z.eqb_spec (place t) a), (Z.eqb_spec (place t) b); lia. }
  assert (2 * sum term names <= sum three names) as S by (rewrite <- sum_mul; apply sum_le; exact T).
  unfold three in S. rewrite !sum_add in S.
  pose proof (held_apart (is_type i) names names_distinct) as A1. pose proof (held_apart (is_type j) names names_distinct) as A2.
  pose proof (held_apart (is_type l) names names_distinct) as A3.
  rewrite (proj1 (Z.eqb_eq _ _) (R i ltac:(simpl; auto))) in A1. rewrite (proj1 (Z.eqb_eq _ _) (R j ltac:(simpl; auto))) in A2.
  rewrite (proj1 (Z.eqb_eq _ _) (R l ltac:(simpl; auto))) in A3.
  change (fun n => held (is_type i) n) with (held (is_type i)) in S. change (fun n => held (is_type j) n) with (held (is_type j)) in S.
  change (fun n => held (is_type l) n) with (held (is_type l)) in S. lia.
Qed.

(** [C4] *)
Lemma C4_holds types part full q : cut_F k own names types part full = Some q -> holds q.
Proof.
  unfold cut_F, holds. set (s := set_of types). set (h := number_of (listed full) names). set (c := rows_in (here s) own - k * h).
  cbv zeta. set (over := sum _ (filter (listed part) names)). set (z := Z.min k over).
  destruct (0 <=? k) eqn:K; [|discriminate]. apply Z.leb_le in K. destruct (0 <=? c) eqn:C; [|discriminate]. apply Z.leb_le in C.
  destruct (forallb _ names) eqn:D; [|discriminate]. rewrite forallb_forall in D. cbn [andb]. intros H. injection H as <-.
  cbn [opens takes side]. set (inT := held (here s)). set (out := held (fun i => negb (here s i))).
  set (P := filter (listed part) names). set (F := filter (listed full) names).
  rewrite (sum_eq _ _ (fun g => (if listed part g then inT g - c * open g else 0) + (if listed full g then z * open g - out g else 0))).
  2:{ intros g Hg. specialize (D g Hg). destruct (listed part g), (listed full g); try discriminate.
      - unfold inT, held, number_of, as_number. lia.
      - rewrite sum_neg. unfold out, held, number_of, as_number. lia.
      - rewrite sum_zero by reflexivity. lia. }
  rewrite sum_add, <- !sum_filter. fold P F.
  assert (sum (fun g => z * open g - out g) F = z * sum open F - sum out F) as ->.
  { clear. induction F; simpl; lia. }
  assert (h = sum (fun _ => 1) F) as Hh by (unfold h, number_of, F; rewrite sum_filter; reflexivity).
  assert (sum open F <= h) as Oh.
  { rewrite Hh. apply sum_le. intros g _. destruct (open_cases g) as [[-> _]|[-> _]]; lia. }
  assert (k * sum open F <= sum inT F + sum out F) as CF.
  { rewrite <- sum_mul, <- sum_add. apply sum_le. intros g Hg. apply held_crowd. apply filter_In in Hg. tauto. }
  assert (0 <= sum out F) as Yn by (apply sum_nonneg; intros; apply held_nonneg).
  assert (forall l, distinct l = true -> sum inT l <= rows_in (here s) own) as Ap by (intros l; apply held_apart).
  set (big := fun g => c <? inT g). set (P' := filter big P).
  assert (sum (fun g => inT g - c * open g) P <= sum (fun g => inT g - c) P') as W1.
  { unfold P'. rewrite sum_filter. apply sum_le. intros g Hg. unfold big. destruct (open_cases g) as [[Eo E]|[Eo _]].
    - assert (inT g = 0) as -> by (unfold inT, held; rewrite E; reflexivity). rewrite Eo. destruct (Z.ltb_spec c 0); lia.
    - rewrite Eo. destruct (Z.ltb_spec c (inT g)); lia. }
  assert (sum (fun g => inT g - c) P' <= over) as W2.
  { unfold P', over. rewrite sum_filter. apply sum_le. intros g Hg.
    assert (inT g <= rows_in (here s) (rows g)) as L.
    { unfold inT, held, number_of. apply filter_In in Hg. destruct Hg as [Hg _].
      apply (chosen g Hg (fun i => as_number (here s i))). intros i. unfold as_number. destruct (here s i); lia. }
    unfold big. destruct (Z.ltb_spec c (inT g)); lia. }
  assert (sum (fun g => inT g - c) P' = sum inT P' - c * sum (fun _ => 1) P') as E.
  { rewrite <- sum_mul, <- sum_less. apply sum_eq. intros; lia. }
  assert (sum inT P' + sum inT F <= rows_in (here s) own) as A.
  { assert (sum inT P' + sum inT F <= sum inT (filter (fun g => (listed part g && big g) || listed full g) names)) as B.
    { unfold P', P, F. rewrite filter_filter, !sum_filter, <- sum_add. apply sum_le. intros g Hg. specialize (D g Hg).
      destruct (listed part g), (listed full g), (big g); try discriminate; simpl; lia. }
    eapply Z.le_trans; [exact B|]. apply Ap, distinct_filter, names_distinct. }
  assert (0 <= over) as On by (apply sum_nonneg; intros; lia).
  assert (rows_in (here s) own = c + k * h) as Rc by (unfold c; lia).
  assert (z <= k /\ z <= over /\ (z = k \/ z = over)) as [Z1 [Z2 Z3]] by (unfold z; lia).
  set (o := sum open F) in *. set (y := sum out F) in *. set (w := sum (fun g => inT g - c) P') in *.
  assert (0 <= z) as Zn by (unfold z; lia).
  enough (w <= z * (h - o) + y) by nia.
  assert (forall l, sum (fun g => inT g - c) l = 0 \/ 1 <= sum (fun _ : named => 1) l) as Np.
  { intros [|g0 l]; [left; reflexivity|right]. cbn [sum]. pose proof (sum_nonneg _ (fun _ : named => 1) l (fun _ _ => ltac:(lia))). lia. }
  destruct (Np P') as [N0|N1]; [fold w in N0; nia|]. clear Np.
  assert (w <= k * (h - o) + y) as Wk by nia.
  destruct Z3 as [Zk|Zo]; [rewrite Zk; exact Wk|].
  destruct (Z.eq_dec (h - o) 0) as [B|B]; [rewrite B in *; lia|nia].
Qed.

Theorem C_holds c q : inequality_of k own names c = Some q -> holds q.
Proof.
  destruct c; simpl; [apply C1_holds|apply C2_holds|apply C3_holds|apply C4_holds].
Qed.
End Holds.
