(** [P1, P2] What an instance can add to a release's cost less its prices; and [K1, K2, K3], the same within a component. *)
From Coq Require Import ZArith List Bool Lia Permutation PArith Mergesort Orders.
From Incrowd Require Import Statement Sums Model Reading Walk Dominance.
Import ListNotations.
Open Scope Z_scope.

(** * The least that a class can come to *)
Module TermOrder <: TotalLeBool.
  Definition t := (Z * Z)%type.
  Definition leb (x y : t) := fst x <=? fst y.
  Lemma leb_total x y : leb x y = true \/ leb y x = true.
  Proof. unfold leb. destruct (Z.leb_spec (fst x) (fst y)); [auto|right; apply Z.leb_le; lia]. Qed.
End TermOrder.
Module TermSort := Sort TermOrder.

(** A row's term and how many rows have it; the n-th least term, 0 for n < 1: nothing is proved of it, nor needs to be. *)
Fixpoint nth_term (n : Z) (ts : list (Z * Z)) : Z :=
  match ts with
  | [] => 0
  | (d, c) :: ts' => if n <=? c then d else nth_term (n - c) ts'
  end.
Definition hint (n : Z) (ts : list (Z * Z)) : Z := if n <=? 0 then 0 else nth_term n (TermSort.sort ts).
Definition below (theta n : Z) (ts : list (Z * Z)) : Z := n * theta - sum (fun x => snd x * Z.max 0 (theta - fst x)) ts.
(** The least sum of n rows or more: all terms below 0, and, if these are fewer than n rows, the next ones. *)
Definition least (n : Z) (ts : list (Z * Z)) : Z :=
  let n' := Z.min n (sum snd ts) in below (Z.max 0 (hint n' ts)) n' ts.
Definition negative (ts : list (Z * Z)) : Z := sum (fun x => snd x * Z.min 0 (fst x)) ts.

(** [C] is a choice of rows of [G]: it has no more of any type than there are. *)
Definition chosen_from (C : list type) (G : list type) : Prop :=
  forall f : type -> Z, (forall i, 0 <= f i) -> sum f C <= sum (fun i => Z.max 0 (count i) * f i) G.
Definition terms (term : type -> Z) (G : list type) : list (Z * Z) := map (fun i => (term i, Z.max 0 (count i))) G.

Lemma P2_below term C G theta n : chosen_from C G -> 0 <= theta -> n <= sum (fun _ => 1) C ->
  below theta n (terms term G) <= sum term C.
Proof.
  intros HC Ht Hn. unfold below, terms. rewrite sum_map. cbn [fst snd].
  specialize (HC (fun i => Z.max 0 (theta - term i)) (fun i => Z.le_max_l _ _)). cbn beta in HC.
  assert (theta * sum (fun _ => 1) C <= sum term C + sum (fun i => Z.max 0 (theta - term i)) C).
  { rewrite <- sum_add, <- sum_mul. apply sum_le. intros i _. lia. }
  nia.
Qed.
Lemma P2_least term C G n : chosen_from C G -> n <= sum (fun _ => 1) C -> least n (terms term G) <= sum term C.
Proof. intros HC Hn. unfold least. apply P2_below; auto; lia. Qed.
Lemma P2_negative term C G : chosen_from C G -> negative (terms term G) <= sum term C.
Proof.
  intros HC. unfold negative, terms. rewrite sum_map. cbn [fst snd].
  specialize (HC (fun i => - Z.min 0 (term i))). cbn beta in HC.
  assert (sum (fun i => - Z.min 0 (term i)) C <= sum (fun i => Z.max 0 (count i) * - Z.min 0 (term i)) G) as L
    by (apply HC; intros; lia).
  assert (sum (fun i => - Z.min 0 (term i)) C = - sum (fun i => Z.min 0 (term i)) C) as E
    by (clear; induction C; simpl; lia).
  assert (sum (fun i => Z.max 0 (count i) * - Z.min 0 (term i)) G = - sum (fun i => Z.max 0 (count i) * Z.min 0 (term i)) G) as E'
    by (clear; induction G; simpl; lia).
  assert (sum (fun i => Z.min 0 (term i)) C <= sum term C) by (apply sum_le; intros; lia). lia.
Qed.
Lemma negative_nonpos term G : negative (terms term G) <= 0.
Proof. unfold negative, terms. rewrite sum_map. cbn [fst snd]. induction G; simpl; [lia|]. nia. Qed.

(** * Classes of an assignment, within some of the row types *)
Section Classes.
Variable p : policy.
Variable types : list type.
Variable m : nat.
Variable vectors : list vector.
Hypothesis types_tidy : tidy m (map cells types) = true.
Hypothesis vectors_long : forall v, In v vectors -> length v = m.
Variable a : list entry.
Hypothesis a_rows : Permutation (map fst a) (expand types).
Hypothesis a_valid : valid p vectors a.

Definition decorated (ts : list type) : some := map (fun i => (cells i, i)) ts.

Lemma a_types e : In e a -> In (fst e) types.
Proof. intros He. apply in_expand. apply (Permutation_in _ a_rows). apply in_map. exact He. Qed.

Lemma tidy_lengths : forall n rows r, tidy n rows = true -> In r rows -> length r = n.
Proof.
  induction n as [|n IH]; intros rows r H Hr; simpl in H.
  - rewrite forallb_forall in H. specialize (H r Hr). destruct r; [reflexivity|discriminate].
  - rewrite !andb_true_iff, forallb_forall in H. destruct H as [[H1 _] H3]. specialize (H1 r Hr).
    destruct r as [|c r]; [discriminate|]. simpl. f_equal. apply (IH (map (@tl cell) rows)); auto.
    apply in_map_iff. exists (c :: r). auto.
Qed.
Lemma tidy_columns : forall n rows r t j, tidy n rows = true -> In r rows -> In t rows -> (j < n)%nat ->
  agree (nth j r []) (nth j t []) /\ length (nth j r []) = length (nth j t []) /\
  forall l z, In (l, z) (nth j r []) -> 0 <= l /\ 0 <= z.
Proof.
  induction n as [|n IH]; intros rows r t j H Hr Ht Hj; [lia|]. simpl in H.
  rewrite !andb_true_iff, forallb_forall in H. destruct H as [[H1 [H0 H2]] H3]. pose proof (H1 r Hr). pose proof (H1 t Ht).
  destruct r as [|c r]; [discriminate|]. destruct t as [|d t]; [discriminate|].
  assert (In c (map (hd []) rows)) as Ic by (apply in_map_iff; exists (c :: r); auto).
  assert (In d (map (hd []) rows)) as Id by (apply in_map_iff; exists (d :: t); auto).
  destruct j as [|j]; simpl.
  - split; [apply (column_tidy_agree (map (hd []) rows)); auto|]. split.
    + unfold one_height in H0. rewrite forallb_forall in H0. pose proof (H0 c Ic) as A. pose proof (H0 d Id) as B.
      apply Nat.eqb_eq in A, B. congruence.
    + intros l z. apply (column_tidy_nonneg (map (hd []) rows)); auto.
  - apply (IH (map (@tl cell) rows)); auto; try lia; apply in_map_iff; [exists (c :: r)|exists (d :: t)]; auto.
Qed.
Lemma decorated_sane ts : incl ts types -> sane m (decorated ts).
Proof.
  intros I x Hx. apply in_map_iff in Hx. destruct Hx as [i [<- Hi]]. cbn [fst].
  pose proof (in_map cells _ _ (I i Hi)) as Hc. pose proof (tidy_lengths _ _ _ types_tidy Hc) as L. split; [exact L|].
  intros l c H. apply (In_nth _ _ []) in H. destruct H as [j [Hj' <-]].
  assert (j < m)%nat as Hj by (rewrite <- L; exact Hj'). clear Hj'.
  destruct (tidy_columns _ _ _ _ j types_tidy Hc Hc Hj) as [_ [_ N]].
  unfold at_level. destruct (nth_in_or_default l (nth j (cells i) []) (star, 0)) as [K|K].
  - rewrite (surjective_pairing (nth l (nth j (cells i) []) (star, 0))) in K. exact (N _ _ K).
  - match goal with |- 0 <= fst ?x /\ _ => replace x with (star, 0) by (symmetry; exact K) end. simpl. unfold star. lia.
Qed.
Lemma decorated_steady ts : incl ts types -> steady (decorated ts).
Proof.
  intros I x y j l Hx Hy E. apply in_map_iff in Hx, Hy. destruct Hx as [i [<- Hi]], Hy as [i' [<- Hi']]. cbn [fst] in *.
  pose proof (in_map cells _ _ (I i Hi)) as Hc. pose proof (in_map cells _ _ (I i' Hi')) as Hc'.
  pose proof (tidy_lengths _ _ _ types_tidy Hc) as L. pose proof (tidy_lengths _ _ _ types_tidy Hc') as L'.
  destruct (Nat.lt_ge_cases j m) as [Hj|Hj].
  - destruct (tidy_columns _ _ _ _ j types_tidy Hc Hc' Hj) as [A [B _]].
    set (c := nth j (cells i) []) in *. set (d := nth j (cells i') []) in *.
    destruct (Nat.lt_ge_cases l (length c)) as [Hl|Hl].
    + pose proof (fits_level l c Hl) as Nc. assert (l < length d)%nat as Hl' by lia. pose proof (fits_level l d Hl') as Nd.
      destruct (at_level l c) as [x z]. destruct (at_level l d) as [x' z']. cbn in *. subst x'.
      specialize (A x l z Nc (ex_intro _ l (ex_intro _ z' Nd))). congruence.
    + unfold at_level. rewrite !nth_overflow by lia. reflexivity.
  - match goal with |- snd (at_level _ ?A) = snd (at_level _ ?B) => assert (A = B) as ->; [|reflexivity] end.
    etransitivity; [apply nth_overflow|symmetry; apply nth_overflow]; [rewrite L|rewrite L']; exact Hj.
Qed.

(** ** Part of the types, and the rows of an assignment that have them *)
Variable inc : type -> bool.
Definition own_types : list type := filter inc types.
Definition own_rows : list entry := filter (fun e => inc (fst e)) a.
Definition class (w : vector) (s : list label) : list entry := filter (inside w s) own_rows.

Lemma own_incl : incl own_types types.
Proof. intros i Hi. apply filter_In in Hi. tauto. Qed.
Lemma own_sum f : sum (fun e => f (fst e)) own_rows = sum (fun i => Z.max 0 (count i) * f i) own_types.
Proof.
  unfold own_rows, own_types. rewrite <- sum_expand, expand_filter, !sum_filter.
  rewrite <- (sum_permutation _ _ _ _ a_rows), sum_map. reflexivity.
Qed.
Lemma class_chosen w s : chosen_from (map fst (class w s)) (group own_types w s).
Proof.
  intros f Hf. rewrite sum_map. unfold group, own_types. rewrite filter_filter, <- sum_expand, expand_filter.
  assert (sum f (filter (fun i => inc i && alike w s i) (expand types))
          = sum (fun e : entry => if inc (fst e) && alike w s (fst e) then f (fst e) else 0) a) as ->.
  { rewrite sum_filter, <- (sum_permutation _ _ _ _ a_rows), sum_map. reflexivity. }
  unfold class, own_rows. rewrite filter_filter, sum_filter.
  apply sum_le. intros e _. unfold inside. specialize (Hf (fst e)).
  destruct (inc (fst e)), (vector_eqb (snd e) w), (alike w s (fst e)); simpl; lia.
Qed.

(** If [f] says at most, of every instance, what its class comes to under [d], so does its sum over a walk. *)
Lemma walk_classes (f : instance -> Z) (d : entry -> Z) vs : incl vs vectors ->
  (forall w s z, In w vs -> (forall i, In i (group own_types w s) -> pays w i = z) -> group own_types w s <> [] ->
    f (Instance z (free p s) w (group own_types w s)) <= sum d (class w s)) ->
  sum f (walk never m vs (suppress p) 0 [] (decorated own_types))
  <= sum d (filter (fun e => existsb (vector_eqb (snd e)) vs) own_rows).
Proof.
  intros Iv H. set (E := filter (fun e => existsb (vector_eqb (snd e)) vs) own_rows).
  assert (forall w s, map snd (filter (fun c => labels_eqb (shown w (fst c)) s) (decorated own_types)) = group own_types w s) as G.
  { intros w s. unfold decorated. rewrite filter_map, map_map. cbn [fst snd]. rewrite map_id. reflexivity. }
  eapply Z.le_trans; [apply (walk_le f d m vs (suppress p) 0 [] (decorated own_types)
    (map (fun e => (cells (fst e), fst e, snd e, e)) E))|rewrite sum_map; apply Z.le_refl].
  - apply decorated_sane, own_incl.
  - apply decorated_steady, own_incl.
  - intros v Hv. apply vectors_long, Iv, Hv.
  - intros x Hx. apply in_map_iff in Hx. destruct Hx as [e [<- He]]. apply filter_In in He. destruct He as [He Hv].
    unfold own_rows in He. apply filter_In in He. destruct He as [He Hi].
    unfold row_of, levels_of. cbn [fst snd]. split.
    + apply in_map_iff. exists (fst e). split; auto. apply filter_In. split; auto. apply a_types. exact He.
    + apply existsb_exists in Hv. destruct Hv as [u [Hu K]]. apply vector_eqb_eq in K. subst u. exact Hu.
  - intros w s z Hw Hz Hn. rewrite G. cbn [rev app]. rewrite Z.add_0_l.
    rewrite filter_map, sum_map.
    assert (filter (fun e => in_class w s (cells (fst e), fst e, snd e, e)) E = class w s) as C.
    { unfold class, E. rewrite filter_filter. apply filter_ext. intros e. unfold in_class, inside, alike, shows, row_of, levels_of.
      cbn [fst snd]. destruct (vector_eqb (snd e) w) eqn:V; [|apply andb_false_r]. apply vector_eqb_eq in V. rewrite V.
      assert (existsb (vector_eqb w) vs = true) as ->; [|reflexivity].
      apply existsb_exists. exists w. split; auto. apply vector_eqb_refl. }
    enough (f (Instance z (free p s) w (group own_types w s)) <= sum d (class w s)) as K by (rewrite <- C in K; exact K).
    apply H; auto.
    + intros i Hi. apply (Hz (cells i, i)).
      * apply in_map_iff. exists i. split; auto. apply filter_In in Hi. tauto.
      * apply filter_In in Hi. apply Hi.
    + rewrite <- G. intros K. apply map_eq_nil in K. contradiction.
Qed.
End Classes.
