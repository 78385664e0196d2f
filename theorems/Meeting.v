(** [R5] Whether a class meets what is asked, recounted. *)
From Coq Require Import ZArith List Bool Lia Permutation PArith Mergesort Orders Zpow_alt.
From Incrowd Require Import Statement Sums Entropy Required Model Reading Runs.
Import ListNotations.
Open Scope Z_scope.

Module NumberOrder <: TotalLeBool.
  Definition t := Z.
  Definition leb := Z.leb.
  Lemma leb_total x y : leb x y = true \/ leb y x = true.
  Proof. unfold leb. destruct (Z.leb_spec x y); [auto|right; apply Z.leb_le; lia]. Qed.
End NumberOrder.
Module NumberSort := Sort NumberOrder.
(** The values of a list, each with how often it stands there. *)
Definition occurrences (x : Z) (l : list Z) : Z := number_of (fun y => y =? x) l.
Definition counted (l : list Z) : list (Z * Z) := map (fun r => (fst r, occurrences (fst r) l)) (runs Z.eqb (NumberSort.sort l)).

Lemma occurrences_count x l : occurrences x l = Z.of_nat (count_occ Z.eq_dec l x).
Proof.
  unfold occurrences, number_of. induction l as [|y l IH]; cbn [sum count_occ]; auto. rewrite IH.
  destruct (Z.eq_dec y x) as [->|N]; [rewrite Z.eqb_refl; lia|]. destruct (Z.eqb_spec y x); [contradiction|lia].
Qed.
Lemma counted_have l x : In x l -> In (x, occurrences x l) (counted l).
Proof.
  intros H. destruct (runs_have Z.eqb (fun a b => proj1 (Z.eqb_eq a b)) (NumberSort.sort l) x) as [n Hn].
  { apply (Permutation_in _ (NumberSort.Permuted_sort l)). exact H. }
  unfold counted. apply in_map_iff. exists (x, n). auto.
Qed.
Lemma counted_in l x n : In (x, n) (counted l) -> In x l /\ n = occurrences x l.
Proof.
  unfold counted. intros H. apply in_map_iff in H. destruct H as [[y c] [E H]]. injection E as <- <-. split; auto.
  pose proof (runs_positive Z.eqb _ _ _ H) as P. pose proof (runs_count Z.eqb (fun a b => proj1 (Z.eqb_eq a b)) Z.eq_dec _ _ _ H) as C.
  apply (Permutation_in _ (Permutation_sym (NumberSort.Permuted_sort l))). apply (count_occ_In Z.eq_dec). lia.
Qed.

(** * A pairing, as amounts: a hint, of which nothing is believed *)
Definition moves := list (Z * Z * Z).
Definition leaving (x : Z) (m : moves) : Z := sum (fun t => if fst (fst t) =? x then snd t else 0) m.
Definition coming (z : Z) (m : moves) : Z := sum (fun t => if snd (fst t) =? z then snd t else 0) m.
Definition pairs_of (m : moves) : list (Z * Z) := flat_map (fun t => repeat (fst t) (Z.to_nat (snd t))) m.
(** In two orders: what stands in both stays, and the rest goes from the least to the least. *)
Fixpoint staying (xs zs : list (Z * Z)) : moves * list (Z * Z) :=
  match xs with
  | [] => ([], [])
  | (x, c) :: xs' =>
      let d := match find (fun z => fst z =? x) zs with Some z => snd z | None => 0 end in let s := Z.min c d in
      let (m, rest) := staying xs' zs in ((x, x, s) :: m, (x, c - s) :: rest)
  end.
Fixpoint along (fuel : nat) (xs zs : list (Z * Z)) : moves :=
  match fuel, xs, zs with
  | S fuel', (x, c) :: xs', (z, d) :: zs' =>
      if c <=? d then (x, z, c) :: along fuel' xs' ((z, d - c) :: zs') else (x, z, d) :: along fuel' ((x, c - d) :: xs') zs'
  | _, _, _ => []
  end.
Definition in_line (xs zs : list (Z * Z)) : moves :=
  let (m, rest) := staying xs zs in
  let left_ := map (fun z => (fst z, snd z - coming (fst z) m)) zs in
  m ++ along (length xs + length zs) rest left_.
(** The nearest first. *)
Module NearOrder <: TotalLeBool.
  Definition t := (Z * (Z * Z))%type.
  Definition leb (x y : t) := fst x <=? fst y.
  Lemma leb_total x y : leb x y = true \/ leb y x = true.
  Proof. unfold leb. destruct (Z.leb_spec (fst x) (fst y)); [auto|right; apply Z.leb_le; lia]. Qed.
End NearOrder.
Module NearSort := Sort NearOrder.
Fixpoint greedily (order : list (Z * (Z * Z))) (xs zs : list (Z * Z)) (m : moves) : moves :=
  match order with
  | [] => m
  | (_, (x, z)) :: order' =>
      let amount := fun l y => match find (fun e => fst e =? y) l with Some e => snd e | None => 0 end in
      let less := fun l y s => map (fun e => if fst e =? y then (fst e, snd e - s) else e) l in
      let s := Z.min (amount xs x) (amount zs z) in
      if s <=? 0 then greedily order' xs zs m else greedily order' (less xs x s) (less zs z s) ((x, z, s) :: m)
  end.
Definition nearest (apart : Z -> Z -> Z) (xs zs : list (Z * Z)) : moves :=
  greedily (NearSort.sort (flat_map (fun x => map (fun z => (apart (fst x) (fst z), (fst x, fst z))) zs) xs)) xs zs [].
Definition moves_hold (apart : Z -> Z -> Z) (most whole : Z) (class table : list (Z * Z)) (size n : Z) (m : moves) : bool :=
  let xs := map (fun c => (fst c, n * snd c)) class in let zs := map (fun c => (fst c, size * snd c)) table in
  forallb (fun t => (0 <=? snd t) && existsb (fun x => fst x =? fst (fst t)) xs && existsb (fun z => fst z =? snd (fst t)) zs) m
  && forallb (fun x => leaving (fst x) m =? snd x) xs && forallb (fun z => coming (fst z) m =? snd z) zs
  && (whole * sum (fun t => snd t * apart (fst (fst t)) (snd (fst t))) m <=? most * (n * size)).
(** * The other requirements *)
(** Products of powers, by squaring. *)
Definition spread_now (l d : Z) (class : list (Z * Z)) (n : Z) : bool :=
  (l ^^ n * product (fun x => snd x ^^ snd x) class <=? (d * n) ^^ n)%Z.
(** The [l] - 1 values of most rows, by a threshold that is read off their sorted numbers: it is no more than a hint. Nothing is
    above it where l is 1. *)
Definition recursive_now (l : nat) (c whole : Z) (class : list (Z * Z)) (n : Z) : bool :=
  let theta := match l with S (S l') => Z.max 0 (nth l' (rev (NumberSort.sort (map snd class))) 0) | _ => Z.max 0 n end in
  let rest := n - (Z.of_nat (pred l) * theta + sum (fun x => Z.max 0 (snd x - theta)) class) in
  (0 <=? c) && (0 <? c * rest) && forallb (fun x => whole * snd x <? c * rest) class.
(** Rows that differ everywhere: a search of which nothing is believed. *)
Definition differ (values : list (Z -> Z)) (a b : Z) : bool := forallb (fun value => negb (value a =? value b)) values.
Fixpoint search (values : list (Z -> Z)) (fuel more : nat) (rows : list Z) : option (list Z) :=
  match more, fuel, rows with
  | O, _, _ => Some []
  | S more', S fuel', x :: rows' =>
      match search values fuel' more' (filter (differ values x) rows') with
      | Some found => Some (x :: found)
      | None => search values fuel' more rows'
      end
  | _, _, _ => None
  end.
Fixpoint all_differ (values : list (Z -> Z)) (rows : list Z) : bool :=
  match rows with [] => true | x :: rows' => forallb (differ values x) rows' && all_differ values rows' end.
Definition joint_now (values : list (Z -> Z)) (l : nat) (class : list Z) : bool :=
  forallb (fun o => match search values (length class) (pred l) (filter (differ values o) class) with
                    | Some found => forallb (fun x => existsb (Z.eqb x) class) found && all_differ values (o :: found)
                                    && Nat.leb l (S (length found))
                    | None => false
                    end) class.
Definition meets_now (table : list Z) (q : requirement) : list Z -> bool :=
  match q with
  | Shares value share whole => fun class =>
      let c := counted (map value class) in let size := Z.of_nat (length class) in
      forallb (fun x => whole * snd x <=? Z.of_N (share (fst x)) * size) c
  | Distinct value least => fun class => least <=? Z.of_nat (length (nodup Z.eq_dec (map fst (counted (map value class)))))
  | Entropy value l whole => fun class =>
      spread_now (Z.of_N l) (Z.of_N whole) (counted (map value class)) (Z.of_nat (length class))
  | Recursive value l c whole => fun class => recursive_now l c whole (counted (map value class)) (Z.of_nat (length class))
  | Joint values l => fun class => joint_now values l (map fst (counted class))
  | Close value apart most whole =>
      let t := counted (map value table) in let n := Z.of_nat (length table) in fun class =>
      let c := counted (map value class) in let size := Z.of_nat (length class) in
      let xs := map (fun c => (fst c, n * snd c)) c in let zs := map (fun c => (fst c, size * snd c)) t in
      let ok := moves_hold apart most whole c t size n in if ok (in_line xs zs) then true else ok (nearest apart xs zs)
  end.

Lemma pairs_sum f m : (forall t, In t m -> 0 <= snd t) -> sum f (pairs_of m) = sum (fun t => snd t * f (fst t)) m.
Proof.
  unfold pairs_of. induction m as [|[e n] m IH]; intros H; cbn [flat_map sum fst snd]; auto. rewrite sum_app, IH by (intros t Ht; apply H; right; exact Ht).
  f_equal. specialize (H (e, n) (or_introl eq_refl)). cbn [snd] in H.
  assert (forall k, sum f (repeat e k) = Z.of_nat k * f e) as ->; [|rewrite Z2Nat.id by lia; reflexivity].
  induction k as [|k IHk]; [reflexivity|]. cbn [repeat sum]. rewrite IHk. lia.
Qed.
Lemma count_times n l x : Z.of_nat (count_occ Z.eq_dec (times n l) x) = Z.of_nat n * occurrences x l.
Proof. rewrite <- occurrences_count. unfold occurrences, number_of. apply sum_times. Qed.
Lemma R5_side (side : Z * Z -> Z) (m : moves) (l : list Z) n : (forall t, In t m -> 0 <= snd t) ->
  (forall t, In t m -> In (side (fst t)) l) ->
  (forall x, In x l -> sum (fun t => if side (fst t) =? x then snd t else 0) m = Z.of_nat n * occurrences x l) ->
  Permutation (map side (pairs_of m)) (times n l).
Proof.
  intros P I H. apply (Permutation_count_occ Z.eq_dec). intros x. apply Nat2Z.inj. rewrite count_times.
  rewrite <- occurrences_count. unfold occurrences, number_of at 1. rewrite sum_map, pairs_sum by exact P.
  rewrite (sum_eq _ _ (fun t => if side (fst t) =? x then snd t else 0)) by (intros t _; destruct (_ =? _); lia).
  destruct (in_dec Z.eq_dec x l) as [Hx|Hx]; [apply H; exact Hx|].
  fold (occurrences x l). rewrite occurrences_count, (proj1 (count_occ_not_In Z.eq_dec l x) Hx), Z.mul_0_r. apply sum_zero.
  intros t Ht. destruct (Z.eqb_spec (side (fst t)) x) as [E|E]; auto. specialize (I t Ht). congruence.
Qed.
Lemma R5_moves (value : Z -> Z) apart most whole table class m :
  moves_hold apart most whole (counted (map value class)) (counted (map value table)) (Z.of_nat (length class)) (Z.of_nat (length table)) m = true ->
  meets table class (Close value apart most whole).
Proof.
  unfold moves_hold. cbv zeta. rewrite !andb_true_iff, !forallb_forall. intros [[[H1 H2] H3] H4]. cbn [meets]. exists (pairs_of m).
  assert (forall t, In t m -> 0 <= snd t) as P.
  { intros t Ht. specialize (H1 t Ht). rewrite !andb_true_iff in H1. apply Z.leb_le. tauto. }
  assert (forall (l : list Z) n x, existsb (fun e => fst e =? x) (map (fun c => (fst c, n * snd c)) (counted l)) = true -> In x l) as M.
  { intros l n x E. apply existsb_exists in E. destruct E as [e [He E]]. apply Z.eqb_eq in E. apply in_map_iff in He.
    destruct He as [[y c] [<- He]]. cbn [fst] in E. subst y. apply counted_in in He. tauto. }
  assert (Permutation (map fst (pairs_of m)) (times (length table) (map value class))) as Q.
  { apply (R5_side fst m (map value class) (length table) P).
    - intros t Ht. specialize (H1 t Ht). rewrite !andb_true_iff in H1. apply (M _ (Z.of_nat (length table))). tauto.
    - intros x Hx. apply Z.eqb_eq. apply (H2 (x, Z.of_nat (length table) * occurrences x (map value class))). apply in_map_iff.
      exists (x, occurrences x (map value class)). split; auto. apply counted_have. exact Hx. }
  split; [exact Q|split].
  - apply (R5_side snd m (map value table) (length class) P).
    + intros t Ht. specialize (H1 t Ht). rewrite !andb_true_iff in H1. apply (M _ (Z.of_nat (length class))). tauto.
    + intros x Hx. apply Z.eqb_eq. apply (H3 (x, Z.of_nat (length class) * occurrences x (map value table))). apply in_map_iff.
      exists (x, occurrences x (map value table)). split; auto. apply counted_have. exact Hx.
  - rewrite sum_fold, pairs_sum by exact P. apply Z.leb_le in H4.
    assert (Z.of_nat (length (pairs_of m)) = Z.of_nat (length table) * Z.of_nat (length class)) as ->; [|exact H4].
    rewrite <- (map_length fst), (Permutation_length Q), length_sum, sum_times, <- length_sum, map_length. reflexivity.
Qed.
Lemma counted_have_often l x : In x l -> In (x, often x l) (counted l).
Proof. intros H. apply counted_have in H. rewrite occurrences_count in H. exact H. Qed.
Lemma R5_entropy value l whole table class :
  spread_now (Z.of_N l) (Z.of_N whole) (counted (map value class)) (Z.of_nat (length class)) = true -> meets table class (Entropy value l whole).
Proof.
  unfold spread_now. rewrite meets_entropy, !Zpower_equiv. intros H. apply Z.leb_le in H. unfold spread, size. rewrite map_length.
  set (xs := map value class) in *. eapply Z.le_trans; [|exact H]. apply Z.mul_le_mono_nonneg_l; [apply Z.pow_nonneg; lia|].
  assert (product (fun x => snd x ^^ snd x) (counted xs) = product (fun x => often x xs ^ often x xs) (map fst (counted xs))) as ->.
  { assert (forall c, incl c (counted xs) -> product (fun x => snd x ^^ snd x) c = product (fun x => often x xs ^ often x xs) (map fst c)) as K;
      [|apply K, incl_refl].
    induction c as [|[x n] c IH]; intros I; cbn [product map fst snd]; auto. rewrite IH by (intros y Hy; apply I; right; exact Hy).
    destruct (counted_in xs x n (I _ (or_introl eq_refl))) as [_ ->]. rewrite Zpower_equiv, occurrences_count. reflexivity. }
  apply (product_values (fun x => often x xs)).
  - intros x Hx. apply often_in in Hx. lia.
  - intros x Hx. apply in_map_iff in Hx. destruct Hx as [[y n] [<- Hx]]. apply counted_in in Hx. destruct Hx as [Hx _]. cbn [fst].
    apply often_in in Hx. assert (0 < often y xs ^ often y xs) by (apply Z.pow_pos_nonneg; lia). lia.
  - intros x Hx. apply in_map_iff. exists (x, often x xs). split; auto. apply counted_have_often. exact Hx.
Qed.
Lemma often_none x l : ~ In x l -> often x l = 0.
Proof. intros N. unfold often. rewrite (proj1 (count_occ_not_In Z.eq_dec l x) N). reflexivity. Qed.
Lemma R5_recursive value l c whole table class :
  recursive_now l c whole (counted (map value class)) (Z.of_nat (length class)) = true -> meets table class (Recursive value l c whole).
Proof.
  unfold recursive_now. set (xs := map value class). set (theta := match l with S (S _) => _ | _ => _ end).
  assert (0 <= theta) as T0 by (unfold theta; destruct l as [|[|]]; lia). clearbody theta.
  set (rest := Z.of_nat (length class) - _). cbv zeta. rewrite !andb_true_iff, forallb_forall. intros [[H1 H2] H3]. apply Z.leb_le in H1. apply Z.ltb_lt in H2.
  cbn [meets]. intros x t D L. fold xs. rewrite sum_fold. set (g := fun y => Z.max 0 (often y xs - theta)).
  assert (sum (fun y => often y xs) t <= Z.of_nat (pred l) * theta + sum (fun x => Z.max 0 (snd x - theta)) (counted xs)) as A.
  { assert (sum (fun y => often y xs) t <= sum (fun y => theta + g y) t) as B by (apply sum_le; intros y _; unfold g; lia).
    rewrite sum_add in B. assert (sum (fun _ => theta) t = theta * Z.of_nat (length t)) as E by (clear; induction t; cbn [sum length]; lia).
    rewrite E in B. assert (sum g t <= sum (fun x => Z.max 0 (snd x - theta)) (counted xs)) as G; [|nia].
    set (here := fun y => existsb (Z.eqb y) xs). assert (sum g t = sum g (filter here t)) as ->.
    { rewrite sum_filter. apply sum_eq. intros y _. destruct (here y) eqn:Hy; auto. unfold g. rewrite often_none; [lia|]. intros K.
      assert (here y = true); [|congruence]. apply existsb_exists. exists y. split; auto. apply Z.eqb_refl. }
    assert (sum (fun x => Z.max 0 (snd x - theta)) (counted xs) = sum g (map fst (counted xs))) as ->.
    { rewrite sum_map. apply sum_eq. intros [y n] Hy. apply counted_in in Hy. destruct Hy as [_ ->]. cbn [fst snd]. unfold g.
      rewrite occurrences_count. reflexivity. }
    apply sum_incl; [intros; unfold g; lia|apply NoDup_filter; exact D|].
    intros y Hy. apply filter_In in Hy. destruct Hy as [_ Hy]. apply existsb_exists in Hy. destruct Hy as [z [Hz E']]. apply Z.eqb_eq in E'. subst z.
    apply in_map_iff. exists (y, often y xs). split; auto. apply counted_have_often. exact Hz. }
  assert (c * rest <= c * (Z.of_nat (length class) - sum (fun y => often y xs) t)) as R by (apply Z.mul_le_mono_nonneg_l; [exact H1|unfold rest; lia]).
  eapply Z.lt_le_trans; [|exact R]. destruct (in_dec Z.eq_dec x xs) as [I|N].
  - specialize (H3 _ (counted_have_often _ _ I)). apply Z.ltb_lt. exact H3.
  - rewrite often_none by exact N. lia.
Qed.
Lemma differ_sound values a b : differ values a b = true -> forall value, In value values -> value a <> value b.
Proof.
  unfold differ. rewrite forallb_forall. intros H value Hv. specialize (H value Hv). apply negb_true_iff in H. apply Z.eqb_neq. exact H.
Qed.
Lemma all_differ_sound values rows : all_differ values rows = true ->
  ForallOrdPairs (fun a b => forall value, In value values -> value a <> value b) rows.
Proof.
  induction rows as [|x rows IH]; cbn [all_differ]; intros H; constructor.
  - apply andb_prop in H. destruct H as [H _]. rewrite forallb_forall in H. apply Forall_forall. intros y Hy. apply differ_sound, H, Hy.
  - apply IH. apply andb_prop in H. tauto.
Qed.
Lemma R5_joint values l table class : joint_now values l (map fst (counted class)) = true -> meets table class (Joint values l).
Proof.
  unfold joint_now. rewrite forallb_forall. intros H o Ho.
  assert (forall x, In x (map fst (counted class)) -> In x class) as C.
  { intros x Hx. apply in_map_iff in Hx. destruct Hx as [[y n] [<- Hx]]. apply counted_in in Hx. tauto. }
  assert (In o (map fst (counted class))) as Ho' by (apply in_map_iff; exists (o, often o class); split; auto; apply counted_have_often; exact Ho).
  specialize (H o Ho'). destruct (search _ _ _ _) as [found|]; [|discriminate]. rewrite !andb_true_iff, forallb_forall in H. destruct H as [[H1 H2] H3].
  exists (o :: found). split; [left; reflexivity|]. split; [|split; [apply Nat.leb_le; exact H3|apply all_differ_sound; exact H2]].
  intros x [<-|Hx]; [exact Ho|]. specialize (H1 x Hx). apply existsb_exists in H1. destruct H1 as [y [Hy E]]. apply Z.eqb_eq in E. subst y. apply C, Hy.
Qed.
Theorem R5_meets table q class : meets_now table q class = true -> meets table class q.
Proof.
  destruct q as [value share whole|value least|value l whole|value l top whole|values l|value apart most whole]; cbn [meets_now].
  - rewrite forallb_forall. cbn [meets]. intros H x. unfold often. destruct (in_dec Z.eq_dec x (map value class)) as [I|N].
    + specialize (H _ (counted_have _ _ I)). cbn [fst snd] in H. apply Z.leb_le in H. rewrite occurrences_count in H. exact H.
    + rewrite (proj1 (count_occ_not_In Z.eq_dec _ x) N). rewrite Z.mul_0_r. pose proof (N2Z.is_nonneg (share x)). nia.
  - intros H. apply Z.leb_le in H. cbn [meets]. eapply Z.le_trans; [exact H|]. apply inj_le, NoDup_incl_length; [apply NoDup_nodup|].
    intros x Hx. apply nodup_In. apply nodup_In in Hx. apply in_map_iff in Hx. destruct Hx as [[y n] [<- Hx]]. apply counted_in in Hx. tauto.
  - apply R5_entropy.
  - apply R5_recursive.
  - apply R5_joint.
  - cbv zeta. destruct (moves_hold _ _ _ _ _ _ _ (in_line _ _)) eqn:E; [intros _; apply (R5_moves _ _ _ _ _ _ _ E)|apply R5_moves].
Qed.
