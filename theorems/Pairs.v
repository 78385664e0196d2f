(** [M1, M3, M4, M5, M6] Prices of rows and of odd sets of rows that no pair, triple or single row undercuts. *)
From Coq Require Import ZArith List Bool Lia Permutation PArith.
From Incrowd Require Import Statement Sums Model Reading Walk Prices Components Leaves.
Import ListNotations.
Open Scope Z_scope.

(** Every row of the original has a price and the numbers of the sets that hold it; every set has a price. Prices are in
    [unit_] / [scale] of a scaled unit of cost. [judged]: the places of two requirements, of which each lets no value have more
    than half of a class (one named twice, where one column is judged); none where every class needs two rows. Nothing of it
    is believed. *)
Record matching := Matching { scale : Z; unit_ : Z; row_prices : list (Z * list Z); set_prices : list Z; judged : option (nat * nat) }.

Fixpoint numbered {A} (n : Z) (l : list A) : list (Z * A) := match l with [] => [] | a :: l' => (n, a) :: numbered (n + 1) l' end.
(** [M2] Every row as a type of its own. *)
Fixpoint single_rows (n : Z) (original : list row) (prices : list (Z * list Z)) : option (list type) :=
  match original, prices with
  | [], [] => Some []
  | r :: original', x :: prices' =>
      match single_rows (n + 1) original' prices' with Some l => Some (Type_ (fst r) 1 (fst x) 0 n (snd r) :: l) | None => None end
  | _, _ => None
  end.

(** [M4] At least what showing three rows alike costs each of them, column by column; none where no level does. *)
Fixpoint near_cell (c d e : cell) : option Z :=
  match c, d, e with
  | x :: c', y :: d', z :: e' =>
      let higher := near_cell c' d' e' in
      if (fst x =? fst y) && (fst x =? fst z)
      then match higher with Some w => Some (Z.min (snd x) w) | None => Some (snd x) end else higher
  | _, _, _ => None
  end.
Fixpoint near (r s t : list cell) : option Z :=
  match r, s, t with
  | c :: r', d :: s', e :: t' =>
      match near_cell c d e with
      | None => None
      | Some w => match near r' s' t' with Some v => Some (w + v) | None => None end
      end
  | _, _, _ => Some 0
  end.
Fixpoint within (v : vector) (r : list cell) : bool :=
  match v, r with [], [] => true | l :: v', c :: r' => Nat.ltb l (length c) && within v' r' | _, _ => false end.

(** [M1] The values of a requirement that no value of the table may have in more than half of a class. *)
Definition halving (asked : list requirement) (table : list Z) (r : nat) : option (Z -> Z) :=
  match nth_error asked r with
  | Some (Shares value share whole) =>
      if (0 <? whole) && forallb (fun o => 2 * Z.of_N (share (value o)) <=? whole) table then Some value else None
  | _ => None
  end.
Definition both_halving (asked : list requirement) (table : list Z) (rs : nat * nat) : option ((Z -> Z) * (Z -> Z)) :=
  match halving asked table (fst rs), halving asked table (snd rs) with Some f, Some g => Some (f, g) | _, _ => None end.

Section Recount.
Variable p : policy.
Variable vectors : list vector.
Variable kinds : option ((Z -> Z) * (Z -> Z)).   (* the sensitive values of other columns that differ in every pair *)
Variable scale : Z.
Variable unit_ : Z.
Variable sets_of : type -> list Z.       (* the numbers of the sets that hold a row *)
Variable sets : list (Z * Z).            (* their numbers and prices *)

Definition in_set (s : Z) (i : type) : bool := existsb (Z.eqb s) (sets_of i).
Definition odd (n : Z) : Z := n mod 2.
(** What some rows are asked: their prices, and those of the sets that hold an odd number of them. *)
Definition asked (part : list type) : Z :=
  sum price part + sum (fun s => snd s * odd (number_of (in_set (fst s)) part)) sets.
Definition lifted (i : type) : Z := price i + sum (fun s => if in_set (fst s) i then snd s else 0) sets.
(** [M4] Two rows with the same sensitive value are no group. *)
Definition clash (i j : type) : bool :=
  match kinds with None => false | Some (f, g) => (f (other i) =? f (other j)) || (g (other i) =? g (other j)) end.
Definition pays_for (n e : Z) (i j l : type) : bool :=
  match near (cells i) (cells j) (cells l) with
  | None => true
  | Some w => if e * unit_ <=? n * scale * w then true else
      forallb (fun u => negb (labels_eqb (shows u i) (shows u j) && labels_eqb (shows u i) (shows u l))
                        || (e * unit_ <=? n * scale * pays u i)) vectors
  end.
(** [M5] *)
Definition pair_good (x y : type * Z) : bool :=
  clash (fst x) (fst y) || pays_for 2 (snd x + snd y) (fst x) (fst y) (fst y) || pays_for 2 (asked [fst x; fst y]) (fst x) (fst y) (fst y).
Fixpoint pairs_good (l : list (type * Z)) : bool :=
  match l with [] => true | x :: l' => forallb (pair_good x) l' && pairs_good l' end.
(** [M6] *)
Fixpoint triples_with (x : type) (l : list type) : bool :=
  match l with [] => true | y :: l' => forallb (fun z => clash x y || clash x z || clash y z || pays_for 3 (asked [x; y; z]) x y z) l'
                        && triples_with x l' end.
Fixpoint triples_good (l : list type) : bool :=
  match l with [] => true | x :: l' => triples_with x l' && triples_good l' end.
Definition set_good (rows : list type) (s : Z * Z) : bool :=
  let held := filter (in_set (fst s)) rows in
  (0 <=? snd s) && (odd (number_of (fun _ => true) held) =? 1) && triples_good held.
(** [M3] Where sensitive values differ in every pair, no class is a single row. *)
Definition single : bool := match kinds with None => suppress p | Some _ => false end.
Definition alone_good (i : type) : bool :=
  negb single || forallb (fun u => negb (stars (shows u i)) || (lifted i * unit_ <=? scale * pays u i)) vectors.
Definition prices_good (rows : list type) : bool :=
  (0 <? scale) && (0 <? unit_) && (match kinds with None => 2 <=? k p | Some _ => true end) && forallb alone_good rows && forallb (set_good rows) sets
  && pairs_good (map (fun i => (i, lifted i)) rows).
End Recount.

Definition matching_bound (p : policy) (original : list row) (c : matching) : option Z :=
  let kinds := match judged c with
    | None => Some None
    | Some rs => match both_halving (required p) (map snd original) rs with Some fg => Some (Some fg) | None => None end
    end in
  match kinds, single_rows 0 original (row_prices c) with
  | Some kinds, Some rows =>
      let m := match original with [] => O | r :: _ => length (fst r) end in
      let first := match original with [] => [] | r :: _ => fst r end in
      let vectors := filter (fun v => within v first) (mask p) in
      let named := part_by (fun x => key (fst x)) (numbered 0 (map snd (row_prices c))) in
      let sets_of := fun i => match get (key (place i)) named with x :: _ => snd x | [] => [] end in
      let sets := numbered 0 (set_prices c) in
      if tidy m (map cells rows) && prices_good p vectors kinds (scale c) (unit_ c) sets_of sets rows
         && (step_of rows mod unit_ c =? 0)
      then Some (rounded_up ((sum price rows + sum snd sets) * unit_ c) (scale c) (unit_ c)) else None
  | _, _ => None
  end.

(** * What the conditions are good for *)
Fixpoint all_triples {A} (R : A -> A -> A -> Prop) (l : list A) : Prop :=
  match l with [] => True | x :: l' => ForallOrdPairs (R x) l' /\ all_triples R l' end.
Lemma all_pairs_in A (R : A -> A -> Prop) l x y : (forall x y, R x y -> R y x) -> ForallOrdPairs R l -> In x l -> In y l -> x <> y -> R x y.
Proof. intros S H Hx Hy N. destruct (ForallOrdPairs_In H x y Hx Hy) as [E|[P|P]]; auto. contradiction. Qed.
Lemma all_triples_in A (R : A -> A -> A -> Prop) l x y z : (forall x y z, R x y z -> R x z y) -> (forall x y z, R x y z -> R y x z) ->
  all_triples R l -> In x l -> In y l -> In z l -> x <> y -> x <> z -> y <> z -> R x y z.
Proof.
  intros S1 S2. induction l as [|w l IH]; [intros _ []|]. intros [H1 H2] [<-|Hx] [<-|Hy] [<-|Hz] N1 N2 N3; try congruence; auto.
  - apply (all_pairs_in _ _ _ _ _ (S1 _) H1); auto.
  - apply S2, (all_pairs_in _ _ _ _ _ (S1 _) H1); auto.
  - apply S1, S2, (all_pairs_in _ _ _ _ _ (S1 _) H1); auto.
Qed.
Lemma filter_length A (b : A -> bool) l : (length (filter b l) <= length l)%nat.
Proof. induction l as [|x l IH]; simpl; [lia|]. destruct (b x); simpl; lia. Qed.

Lemma near_cell_least : forall c d e l, (l < length c)%nat -> (l < length d)%nat -> (l < length e)%nat ->
  fst (at_level l c) = fst (at_level l d) -> fst (at_level l c) = fst (at_level l e) ->
  exists w, near_cell c d e = Some w /\ w <= snd (at_level l c).
Proof.
  unfold at_level. induction c as [|x c IH]; intros [|y d] [|z e] l; cbn [length]; try lia. intros Lc Ld Le E1 E2.
  cbn [near_cell]. destruct l as [|l]; cbn [nth] in *.
  - rewrite E1, Z.eqb_refl, <- E1, E2, Z.eqb_refl. cbn [andb]. destruct (near_cell c d e); eexists; split; eauto; lia.
  - destruct (IH d e l ltac:(lia) ltac:(lia) ltac:(lia) E1 E2) as [w [-> W]].
    destruct (_ && _); eexists; split; eauto; lia.
Qed.
(** [M4] *)
Lemma M4_near : forall r s t u, within u r = true -> within u s = true -> within u t = true ->
  shown u r = shown u s -> shown u r = shown u t -> exists w, near r s t = Some w /\ w <= cost u r.
Proof.
  induction r as [|c r IH]; intros [|d s] [|e t] [|l u]; cbn [within]; try discriminate.
  { intros. exists 0. split; [reflexivity|]. unfold cost. simpl. lia. }
  intros Hr Hs Ht. apply andb_prop in Hr, Hs, Ht. destruct Hr as [Lr Hr], Hs as [Ls Hs], Ht as [Lt Ht]. apply Nat.ltb_lt in Lr, Ls, Lt.
  rewrite !shown_cons, cost_cons. intros E1 E2. injection E1 as E1 F1. injection E2 as E2 F2. cbn [near].
  destruct (near_cell_least c d e l Lr Ls Lt E1 E2) as [w [-> W]]. destruct (IH s t u Hr Hs Ht F1 F2) as [v [-> V]].
  exists (w + v). split; [reflexivity|lia].
Qed.

Section Sound.
Variable p : policy.
Variable rows : list type.
Variable m : nat.
Hypothesis rows_tidy : tidy m (map cells rows) = true.
Variable vectors : list vector.
Hypothesis vectors_within : forall v i, In v vectors -> In i rows -> within v (cells i) = true.
Variable kinds : option ((Z -> Z) * (Z -> Z)).
Variable scale : Z.
Variable unit_ : Z.
Variable sets_of : type -> list Z.
Variable sets : list (Z * Z).
Hypothesis good : prices_good p vectors kinds scale unit_ sets_of sets rows = true.

Let asked := asked sets_of sets.
Let lifted := lifted sets_of sets.
Let in_set := in_set sets_of.
Lemma good_parts : 0 < scale /\ 0 < unit_ /\ (kinds = None -> 2 <= k p) /\
  forallb (alone_good p vectors kinds scale unit_ sets_of sets) rows = true /\
  forallb (set_good vectors kinds scale unit_ sets_of sets rows) sets = true /\
  pairs_good vectors kinds scale unit_ sets_of sets (map (fun i => (i, lifted i)) rows) = true.
Proof.
  pose proof good as G. unfold prices_good in G. rewrite !andb_true_iff in G. rewrite !Z.ltb_lt in G.
  destruct G as [[[[[G1 G2] G3] G4] G5] G6]. repeat split; auto. intros E. rewrite E in G3. apply Z.leb_le, G3.
Qed.
Lemma clash_swap i j : clash kinds i j = clash kinds j i.
Proof. unfold clash. destruct kinds as [[f g]|]; auto. rewrite (Z.eqb_sym (f (other i))), (Z.eqb_sym (g (other i))). reflexivity. Qed.
Lemma set_price s : In s sets -> 0 <= snd s.
Proof.
  destruct good_parts as [_ [_ [_ [_ [S _]]]]]. rewrite forallb_forall in S. intros Hs. specialize (S s Hs).
  unfold set_good in S. rewrite !andb_true_iff in S. apply Z.leb_le. tauto.
Qed.

Lemma pays_for_true n e i j l u : 0 <= n -> pays_for vectors scale unit_ n e i j l = true -> In i rows -> In j rows -> In l rows ->
  In u vectors -> shows u i = shows u j -> shows u i = shows u l -> e * unit_ <= n * scale * pays u i.
Proof.
  intros Hn H Hi Hj Hl Hu E1 E2. unfold pays_for in H. destruct good_parts as [Sc _].
  destruct (M4_near (cells i) (cells j) (cells l) u) as [w [N W]]; auto. rewrite N in H.
  destruct (Z.leb_spec (e * unit_) (n * scale * w)) as [L|_].
  - assert (n * scale * w <= n * scale * pays u i) by (apply Z.mul_le_mono_nonneg_l; [nia|exact W]). lia.
  - rewrite forallb_forall in H. specialize (H u Hu). rewrite (proj2 (labels_eqb_eq _ _) E1), (proj2 (labels_eqb_eq _ _) E2) in H.
    simpl in H. apply Z.leb_le. exact H.
Qed.

Lemma same_pays i j u : In i rows -> In j rows -> shows u i = shows u j -> pays u i = pays u j.
Proof. intros Hi Hj E. apply (same_cost m (map cells rows)); auto using in_map. Qed.
Lemma asked_pair i j : asked [i; j] <= lifted i + lifted j.
Proof.
  unfold asked, lifted, Pairs.asked, Pairs.lifted. cbn [sum].
  assert (sum (fun s => snd s * odd (number_of (Pairs.in_set sets_of (fst s)) [i; j])) sets
    <= sum (fun s => if Pairs.in_set sets_of (fst s) i then snd s else 0) sets
       + sum (fun s => if Pairs.in_set sets_of (fst s) j then snd s else 0) sets) as L; [|lia].
  rewrite <- sum_add. apply sum_le. intros s Hs. pose proof (set_price s Hs). unfold number_of. cbn [sum].
  destruct (Pairs.in_set sets_of (fst s) i), (Pairs.in_set sets_of (fst s) j); cbn; lia.
Qed.
Lemma asked_swap i j : asked [i; j] = asked [j; i].
Proof.
  unfold asked, Pairs.asked. cbn [sum]. f_equal; [lia|]. apply sum_eq. intros s _. do 2 f_equal. unfold number_of. cbn [sum]. lia.
Qed.
Lemma asked_turn i j l : asked [i; j; l] = asked [i; l; j] /\ asked [i; j; l] = asked [j; i; l].
Proof.
  unfold asked, Pairs.asked. cbn [sum]. split; (f_equal; [lia|]; apply sum_eq; intros s _; do 2 f_equal; unfold number_of; cbn [sum]; lia).
Qed.
Definition pair_fits (i j : type) : Prop := In i rows -> In j rows -> clash kinds i j = false -> forall u, In u vectors -> shows u i = shows u j ->
  asked [i; j] * unit_ <= 2 * scale * pays u i.
(** [M5] *)
Lemma M5_pair i j : In i rows -> In j rows -> i <> j -> pair_fits i j.
Proof.
  destruct good_parts as [Sc [Un [_ [_ [_ P]]]]]. apply all_pairs_in.
  { intros x y H Hy Hx N u Hu E. rewrite clash_swap in N. rewrite asked_swap, (same_pays y x u); auto. }
  assert (forall l, pairs_good vectors kinds scale unit_ sets_of sets (map (fun i => (i, lifted i)) l) = true -> ForallOrdPairs pair_fits l)
    as H; [|apply H; exact P].
  induction l as [|x l IH]; intros G; [constructor|]. simpl in G. apply andb_prop in G. destruct G as [G1 G2].
  constructor; [apply Forall_forall|apply IH; exact G2]. intros y Hy Hx Hy' N u Hu E. rewrite forallb_forall in G1. specialize (G1 (y, lifted y)).
  rewrite in_map_iff in G1. specialize (G1 (ex_intro _ y (conj eq_refl Hy))).
  unfold pair_good in G1. cbn [fst snd] in G1. rewrite N in G1. apply orb_prop in G1. destruct G1 as [G|G].
  - pose proof (pays_for_true 2 _ x y y u ltac:(lia) G Hx Hy' Hy' Hu E E). pose proof (asked_pair x y). nia.
  - apply (pays_for_true 2 _ x y y u ltac:(lia) G Hx Hy' Hy' Hu E E).
Qed.
Definition triple_fits (i j l : type) : Prop := In i rows -> In j rows -> In l rows ->
  clash kinds i j = false -> clash kinds i l = false -> clash kinds j l = false -> forall u, In u vectors -> shows u i = shows u j -> shows u i = shows u l -> asked [i; j; l] * unit_ <= 3 * scale * pays u i.
(** [M6] *)
Lemma M6_in_set s i j l : In s sets -> in_set (fst s) i = true -> in_set (fst s) j = true -> in_set (fst s) l = true ->
  In i rows -> In j rows -> In l rows -> i <> j -> i <> l -> j <> l -> triple_fits i j l.
Proof.
  destruct good_parts as [_ [_ [_ [_ [S _]]]]]. intros Hs Bi Bj Bl Hi Hj Hl. rewrite forallb_forall in S. specialize (S s Hs).
  unfold set_good in S. rewrite !andb_true_iff in S. destruct S as [_ T]. set (held := filter _ rows) in T.
  assert (forall x, In x rows -> in_set (fst s) x = true -> In x held) as I by (intros; apply filter_In; auto).
  apply (all_triples_in _ _ held); auto.
  - intros x y z H Hx Hy Hz N1 N2 N3 u Hu E1 E2. rewrite clash_swap in N3. rewrite (proj1 (asked_turn x z y)). apply H; auto.
  - intros x y z H Hx Hy Hz N1 N2 N3 u Hu E1 E2. rewrite clash_swap in N1. rewrite (proj2 (asked_turn y x z)), (same_pays y x u); auto. apply H; auto; congruence.
  - clear I. induction held as [|x h IH]; simpl; auto. simpl in T. apply andb_prop in T. destruct T as [T1 T2]. split; auto.
    clear IH T2. induction h as [|y h IH]; [constructor|]. simpl in T1. apply andb_prop in T1. destruct T1 as [T1 T2].
    constructor; auto. apply Forall_forall. intros z Hz Hx Hy Hz' N1 N2 N3 u Hu E1 E2. rewrite forallb_forall in T1. specialize (T1 z Hz). rewrite N1, N2, N3 in T1. apply (pays_for_true 3 _ x y z u); auto; lia.
Qed.
Lemma M6_triple i j l : In i rows -> In j rows -> In l rows -> i <> j -> i <> l -> j <> l -> triple_fits i j l.
Proof.
  intros Hi Hj Hl N1 N2 N3. destruct (existsb (fun s => in_set (fst s) i && in_set (fst s) j && in_set (fst s) l) sets) eqn:X.
  { apply existsb_exists in X. destruct X as [s [Hs B]]. rewrite !andb_true_iff in B. destruct B as [[B1 B2] B3].
    apply (M6_in_set s); auto. }
  intros _ _ _ C1 C2 C3 u Hu E1 E2.
  pose proof (M5_pair i j Hi Hj N1 Hi Hj C1 u Hu E1) as P1. pose proof (M5_pair i l Hi Hl N2 Hi Hl C2 u Hu E2) as P2.
  pose proof (M5_pair j l Hj Hl N3 Hj Hl C3 u Hu ltac:(congruence)) as P3. rewrite (same_pays j i u) in P3 by auto.
  assert (2 * asked [i; j; l] <= asked [i; j] + asked [i; l] + asked [j; l]) as A; [|destruct good_parts as [_ [Un _]]; nia].
  unfold asked, Pairs.asked. cbn [sum]. rewrite Z.mul_add_distr_l, <- sum_mul.
  match goal with |- _ + ?x <= _ => assert (x <= sum (fun s => snd s * odd (number_of (in_set (fst s)) [i; j])
    + snd s * odd (number_of (in_set (fst s)) [i; l]) + snd s * odd (number_of (in_set (fst s)) [j; l])) sets) as S end.
  { apply sum_le. intros s Hs. pose proof (set_price s Hs) as Z0.
    assert (in_set (fst s) i && in_set (fst s) j && in_set (fst s) l = false) as F.
    { destruct (_ && _) eqn:B; auto. rewrite <- X. symmetry. apply existsb_exists. exists s. auto. }
    fold in_set. unfold number_of. cbn [sum]. destruct (in_set (fst s) i), (in_set (fst s) j), (in_set (fst s) l); try discriminate;
      repeat match goal with |- context [odd ?n] => let v := eval compute in (odd n) in change (odd n) with v end; lia. }
  rewrite !sum_add in S. unfold in_set in S. lia.
Qed.
(** [M3] *)
Lemma M3_alone i u : kinds = None -> In i rows -> In u vectors -> free p (shows u i) = true -> asked [i] * unit_ <= scale * pays u i.
Proof.
  intros E Hi Hu F. unfold free in F. apply andb_prop in F. destruct F as [F1 F2].
  destruct good_parts as [_ [_ [_ [A _]]]]. rewrite forallb_forall in A. specialize (A i Hi). unfold alone_good, single in A. rewrite E in A.
  rewrite F1 in A. simpl in A. rewrite forallb_forall in A. specialize (A u Hu). rewrite F2 in A. simpl in A. apply Z.leb_le in A.
  assert (asked [i] = Pairs.lifted sets_of sets i) as ->; [|exact A].
  unfold asked, Pairs.asked, Pairs.lifted. cbn [sum]. rewrite Z.add_0_r. f_equal. apply sum_eq. intros s _. unfold number_of. cbn [sum].
  destruct (Pairs.in_set sets_of (fst s) i); cbn; lia.
Qed.

End Sound.
