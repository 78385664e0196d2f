(** [M1] How a class falls into pairs and one triple: any class of two rows does; and where in each of two columns no value has
    more than half of the rows, so that the rows of every pair and of the triple differ there. *)
From Coq Require Import ZArith List Bool Lia Permutation.
From Incrowd Require Import Statement Sums.
Import ListNotations.
Open Scope Z_scope.

Fixpoint halves {A} (l : list A) : list (list A) :=
  match l with
  | [] => [] | [a] => [[a]] | [a; b; c] => [[a; b; c]]
  | a :: b :: l' => [a; b] :: halves l'
  end.
Lemma halves_spec A : forall n (l : list A), (length l <= n)%nat -> (2 <= length l)%nat ->
  concat (halves l) = l /\ forall x, In x (halves l) -> (length x = 2 \/ length x = 3)%nat.
Proof.
  induction n as [|n IH]; intros l Hn H2; [lia|]. destruct l as [|a [|b l]]; [simpl in H2; lia..|].
  destruct l as [|c [|d l]].
  - split; [reflexivity|]. intros x [<-|[]]. auto.
  - split; [reflexivity|]. intros x [<-|[]]. auto.
  - change (halves (a :: b :: c :: d :: l)) with ([a; b] :: halves (c :: d :: l)).
    destruct (IH (c :: d :: l)) as [I1 I2]; [simpl in *; lia..|]. split; [cbn [concat]; rewrite I1; reflexivity|].
    intros x [<-|Hx]; auto.
Qed.

(** * Counts *)
Lemma sum_ones A (l : list A) : sum (fun _ => 1) l = Z.of_nat (length l).
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [sum length]. lia. Qed.
Lemma number_of_some A (b : A -> bool) l : 0 < number_of b l -> exists r, In r l /\ b r = true.
Proof.
  induction l as [|r l IH]; unfold number_of in *; simpl; [lia|]. destruct (b r) eqn:B; [eauto|].
  intros H. destruct IH as [s [S1 S2]]; [lia|]. eauto.
Qed.
Lemma number_of_least A (b : A -> bool) l r : In r l -> b r = true -> 1 <= number_of b l.
Proof.
  intros H B. apply in_split in H. destruct H as [l1 [l2 ->]]. unfold number_of. rewrite sum_app. cbn [sum]. rewrite B.
  pose proof (number_of_nonneg _ b l1). pose proof (number_of_nonneg _ b l2). unfold number_of in *. lia.
Qed.
Lemma in_first A (r : A) l : In r l -> exists l', Permutation l (r :: l').
Proof. intros H. apply in_split in H. destruct H as [l1 [l2 ->]]. exists (l1 ++ l2). symmetry. apply Permutation_middle. Qed.
(** Counts of the same rows are compared row by row. *)
Ltac row_by_row :=
  unfold number_of; rewrite <- ?sum_ones, <- ?sum_add; first [apply sum_eq|apply sum_le]; intros;
  repeat match goal with |- context [?a =? ?b] => destruct (Z.eqb_spec a b) end; cbn [andb negb]; try lia; try congruence.

Definition with_value {A} (f : A -> Z) (v : Z) (l : list A) : Z := number_of (fun r => f r =? v) l.
Definition full {A} (f : A -> Z) (l : list A) (h v : Z) : Prop := with_value f v l = h.

(** At most two values have half of the rows each. *)
Lemma full_values A (f : A -> Z) (l : list A) h : 2 <= h -> Z.of_nat (length l) <= 2 * h + 1 ->
  (forall v, ~ full f l h v) \/ (exists v, full f l h v /\ forall w, full f l h w -> w = v) \/
  (exists v w, v <> w /\ full f l h v /\ full f l h w /\ forall u, full f l h u -> u = v \/ u = w).
Proof.
  intros Hh Hl.
  assert (forall b : Z -> bool, (exists v, full f l h v /\ b v = true) \/ forall v, full f l h v -> b v = false) as D.
  { intros b. destruct (find (fun r => (with_value f (f r) l =? h) && b (f r)) l) as [r|] eqn:F.
    - apply find_some in F. destruct F as [_ F]. apply andb_prop in F. destruct F as [F1 F2]. apply Z.eqb_eq in F1. left. eauto.
    - right. intros v Fv. destruct (number_of_some _ (fun r => f r =? v) l) as [r [R1 R2]]; [unfold full, with_value in Fv; lia|].
      apply (find_none _ _ F) in R1. apply Z.eqb_eq in R2. rewrite R2 in R1. unfold full in Fv. rewrite Fv, Z.eqb_refl in R1. exact R1. }
  destruct (D (fun _ => true)) as [[v [Fv _]]|N]; [right|left; intros v Fv; specialize (N v Fv); discriminate].
  destruct (D (fun w => negb (w =? v))) as [[w [Fw W]]|N]; [right|left].
  - apply negb_true_iff, Z.eqb_neq in W. exists v, w. repeat split; auto. intros u Fu.
    destruct (Z.eqb_spec u v); auto. destruct (Z.eqb_spec u w); auto. exfalso.
    assert (with_value f v l + with_value f w l + with_value f u l <= Z.of_nat (length l)) as S by (unfold with_value; row_by_row).
    unfold full in *. lia.
  - exists v. split; auto. intros w Fw. specialize (N w Fw). apply negb_false_iff, Z.eqb_eq in N. exact N.
Qed.

Section Split.
Context {A : Type}.

(** * A pair that may be taken away: its rows differ, and hold all values that have half of the rows *)
Definition apart (f g : A -> Z) (r s : A) : Prop := f r <> f s /\ g r <> g s.
Definition takes (f : A -> Z) (l : list A) (h : Z) (r s : A) : Prop := forall v, full f l h v -> f r = v \/ f s = v.
Definition takable (f g : A -> Z) (l : list A) (h : Z) : Prop :=
  exists r s, In r l /\ In s l /\ apart f g r s /\ takes f l h r s /\ takes g l h r s.
Lemma takable_swap f g l h : takable f g l h -> takable g f l h.
Proof. intros [r [s [Hr [Hs [[N1 N2] [T1 T2]]]]]]. exists r, s. repeat split; auto. Qed.

Section Step.
Variables f g : A -> Z.
Variable l : list A.
Variable h : Z.
Hypothesis some : 2 <= h.
Hypothesis least : 2 * h <= Z.of_nat (length l).
Hypothesis most : Z.of_nat (length l) <= 2 * h + 1.
Hypothesis f_most : forall v, with_value f v l <= h.
Hypothesis g_most : forall v, with_value g v l <= h.

(** One row holds them all. *)
Lemma takable_one r : In r l -> (forall v, full f l h v -> f r = v) -> (forall v, full g l h v -> g r = v) -> takable f g l h.
Proof.
  intros Hr F G. destruct (number_of_some _ (fun s => negb (f s =? f r) && negb (g s =? g r)) l) as [s [Hs S]].
  - destruct (in_first _ _ _ Hr) as [l' P]. pose proof (f_most (f r)) as F1. pose proof (g_most (g r)) as G1.
    pose proof (Permutation_length P) as L. unfold with_value, number_of in *. rewrite (sum_permutation _ _ _ _ P) in F1.
    rewrite (sum_permutation _ _ _ _ P) in G1. rewrite (sum_permutation _ _ _ _ P). cbn [sum length] in *.
    rewrite !Z.eqb_refl in *. cbn [negb andb].
    assert (Z.of_nat (length l') <= sum (fun s => if f s =? f r then 1 else 0) l' + sum (fun s => if g s =? g r then 1 else 0) l'
      + sum (fun s => if negb (f s =? f r) && negb (g s =? g r) then 1 else 0) l') by row_by_row. lia.
  - apply andb_prop in S. destruct S as [S1 S2]. apply negb_true_iff in S1, S2. apply Z.eqb_neq in S1, S2.
    exists r, s. repeat split; auto; intros v Fv; left; auto.
Qed.
Definition cell_at (v : Z) (b : Z -> bool) : Z := number_of (fun r => (f r =? v) && b (g r)) l.
Lemma cell_some v b : 0 < cell_at v b -> exists r, In r l /\ f r = v /\ b (g r) = true.
Proof.
  intros H. destruct (number_of_some _ _ _ H) as [r [R1 R2]]. apply andb_prop in R2. destruct R2 as [R2 R3]. apply Z.eqb_eq in R2. eauto.
Qed.
Lemma cell_least r b : In r l -> b (g r) = true -> 1 <= cell_at (f r) b.
Proof. intros Hr B. apply (number_of_least _ _ l r Hr). rewrite Z.eqb_refl. exact B. Qed.

(** Two values of one column have half of the rows each. *)
Lemma takable_two v w : v <> w -> full f l h v -> full f l h w -> (forall u, full f l h u -> u = v \/ u = w) -> takable f g l h.
Proof.
  intros N Fv Fw T.
  assert (forall r s, In r l -> In s l -> f r = v -> f s = w -> g r <> g s -> takes g l h r s -> takable f g l h) as Take.
  { intros r s Hr Hs E1 E2 D G. exists r, s. repeat split; auto; [congruence|]. intros u Fu. destruct (T u Fu); subst; auto. }
  pose proof (number_of_nonneg A) as Pos. unfold full in Fv, Fw.
  destruct (full_values A g l h some most) as [None|[[c [Fc One]]|[c [d [ND [Fc [Fd Two]]]]]]].
  - destruct (cell_some v (fun _ => true)) as [r [Hr [R _]]].
    { enough (with_value f v l <= cell_at v (fun _ => true)) by lia. unfold with_value, cell_at. row_by_row. }
    destruct (Z.leb_spec (cell_at w (fun x => negb (x =? g r))) 0) as [Z0|P]; [exfalso|].
    + pose proof (cell_least r (fun x => x =? g r) Hr (Z.eqb_refl _)) as L. rewrite R in L. pose proof (g_most (g r)) as M.
      assert (with_value f w l = cell_at w (fun x => negb (x =? g r)) + cell_at w (fun x => x =? g r)) as S
        by (unfold with_value, cell_at; row_by_row).
      assert (cell_at v (fun x => x =? g r) + cell_at w (fun x => x =? g r) <= with_value g (g r) l) as U
        by (unfold with_value, cell_at; row_by_row). lia.
    + destruct (cell_some _ _ P) as [s [Hs [S D]]]. apply negb_true_iff, Z.eqb_neq in D.
      apply (Take r s); auto. intros u Fu. destruct (None u Fu).
  - set (here := fun x => x =? c). set (else_ := fun x => negb (x =? c)). unfold full in Fc.
    assert (with_value f v l = cell_at v here + cell_at v else_) as S1 by (unfold with_value, cell_at, here, else_; row_by_row).
    assert (with_value f w l = cell_at w here + cell_at w else_) as S2 by (unfold with_value, cell_at, here, else_; row_by_row).
    assert (cell_at v here + cell_at w here <= with_value g c l) as S3 by (unfold with_value, cell_at, here; row_by_row).
    assert (with_value g c l + with_value f v l + with_value f w l <= Z.of_nat (length l) + cell_at v here + cell_at w here) as S4
      by (unfold with_value, cell_at, here; row_by_row).
    assert (0 < cell_at v here /\ 0 < cell_at w else_ \/ 0 < cell_at v else_ /\ 0 < cell_at w here) as [[P Q]|[P Q]].
    { pose proof (Pos (fun r => (f r =? v) && here (g r)) l). pose proof (Pos (fun r => (f r =? v) && else_ (g r)) l).
      pose proof (Pos (fun r => (f r =? w) && here (g r)) l). pose proof (Pos (fun r => (f r =? w) && else_ (g r)) l).
      unfold cell_at in *. lia. }
    all: destruct (cell_some _ _ P) as [r [Hr [R GR]]], (cell_some _ _ Q) as [s [Hs [S GS]]]; unfold here, else_ in GR, GS;
      rewrite ?negb_true_iff, ?Z.eqb_eq, ?Z.eqb_neq in GR; rewrite ?negb_true_iff, ?Z.eqb_eq, ?Z.eqb_neq in GS;
      apply (Take r s); auto; try congruence; intros u Fu; rewrite (One u Fu); auto.
  - set (one := fun x => x =? c). set (two := fun x => x =? d). unfold full in Fc, Fd.
    assert (cell_at v one + cell_at v two <= with_value f v l) as S1 by (unfold with_value, cell_at, one, two; row_by_row).
    assert (cell_at w one + cell_at w two <= with_value f w l) as S2 by (unfold with_value, cell_at, one, two; row_by_row).
    assert (cell_at v one + cell_at w one <= with_value g c l) as S3 by (unfold with_value, cell_at, one; row_by_row).
    assert (cell_at v two + cell_at w two <= with_value g d l) as S4 by (unfold with_value, cell_at, two; row_by_row).
    assert (with_value f v l + with_value f w l + with_value g c l <= Z.of_nat (length l) + cell_at v one + cell_at w one) as S5
      by (unfold with_value, cell_at, one; row_by_row).
    assert (with_value f v l + with_value f w l + with_value g d l <= Z.of_nat (length l) + cell_at v two + cell_at w two) as S6
      by (unfold with_value, cell_at, two; row_by_row).
    assert (with_value f v l + with_value g c l + with_value g d l <= Z.of_nat (length l) + cell_at v one + cell_at v two) as S7
      by (unfold with_value, cell_at, one, two; row_by_row).
    assert (with_value f w l + with_value g c l + with_value g d l <= Z.of_nat (length l) + cell_at w one + cell_at w two) as S8
      by (unfold with_value, cell_at, one, two; row_by_row).
    assert (0 < cell_at v one /\ 0 < cell_at w two \/ 0 < cell_at v two /\ 0 < cell_at w one) as [[P Q]|[P Q]].
    { pose proof (Pos (fun r => (f r =? v) && one (g r)) l). pose proof (Pos (fun r => (f r =? v) && two (g r)) l).
      pose proof (Pos (fun r => (f r =? w) && one (g r)) l). pose proof (Pos (fun r => (f r =? w) && two (g r)) l).
      unfold cell_at in *. lia. }
    all: destruct (cell_some _ _ P) as [r [Hr [R GR]]], (cell_some _ _ Q) as [s [Hs [S GS]]]; unfold one, two in GR, GS;
      apply Z.eqb_eq in GR, GS; apply (Take r s); auto; try congruence; intros u Fu; destruct (Two u Fu) as [->| ->]; auto.
Qed.
End Step.

Lemma takable_pair f g l h : 2 <= h -> 2 * h <= Z.of_nat (length l) <= 2 * h + 1 -> (forall v, with_value f v l <= h) ->
  (forall v, with_value g v l <= h) -> takable f g l h.
Proof.
  intros H L F G.
  destruct L as [L M]. assert (forall f v, full f l h v -> exists r, In r l /\ f r = v) as Some_.
  { intros q v Fv. destruct (number_of_some _ (fun r => q r =? v) l) as [r [R1 R2]]; [unfold full, with_value in Fv; lia|].
    apply Z.eqb_eq in R2. eauto. }
  destruct (full_values A f l h H M) as [F0|[[v [Fv F1]]|[v [w [N [Fv [Fw F2]]]]]]];
    [| |apply (takable_two f g l h) with (v := v) (w := w); auto; lia];
  (destruct (full_values A g l h H M) as [G0|[[c [Gc G1]]|[c [d [N [Gc [Gd G2]]]]]]];
    [| |apply takable_swap, (takable_two g f l h) with (v := c) (w := d); auto; lia]).
  - destruct l as [|r l']; [cbn [length] in L; lia|]. apply (takable_one f g (r :: l') h) with (r := r); auto; try lia; [left; reflexivity|..];
      intros u Fu; [destruct (F0 u Fu)|destruct (G0 u Fu)].
  - destruct (Some_ g c Gc) as [r [Hr R]]. apply (takable_one f g l h) with (r := r); auto; try lia.
    + intros u Fu. destruct (F0 u Fu).
    + intros u Fu. rewrite (G1 u Fu). exact R.
  - destruct (Some_ f v Fv) as [r [Hr R]]. apply (takable_one f g l h) with (r := r); auto; try lia.
    + intros u Fu. rewrite (F1 u Fu). exact R.
    + intros u Fu. destruct (G0 u Fu).
  - destruct (Some_ f v Fv) as [r [Hr R]], (Some_ g c Gc) as [s [Hs S]].
    destruct (Z.leb_spec (number_of (fun x => (f x =? v) && (g x =? c)) l) 0) as [Z0|P].
    + assert (forall x, In x l -> f x = v -> g x <> c) as No.
      { intros x Hx X1 X2. pose proof (number_of_least _ (fun x => (f x =? v) && (g x =? c)) l x Hx) as K. cbv beta in K.
        rewrite X1, X2, !Z.eqb_refl in K. specialize (K eq_refl). lia. }
      exists r, s. repeat split; auto.
      * intros E. apply (No s Hs); congruence.
      * intros E. apply (No r Hr); congruence.
      * intros u Fu. rewrite (F1 u Fu). auto.
      * intros u Fu. rewrite (G1 u Fu). auto.
    + destruct (number_of_some _ _ _ P) as [x [Hx X]]. apply andb_prop in X. destruct X as [X1 X2]. apply Z.eqb_eq in X1, X2.
      apply (takable_one f g l h) with (r := x); auto; try lia; intros u Fu; [rewrite (F1 u Fu)|rewrite (G1 u Fu)]; auto.
Qed.

(** [M1] The split: pair after pair is taken away, until two or three rows are left. *)
Theorem M1_split f g : forall n l, 2 * Z.of_nat (S n) <= Z.of_nat (length l) <= 2 * Z.of_nat (S n) + 1 ->
  (forall v, with_value f v l <= Z.of_nat (S n)) -> (forall v, with_value g v l <= Z.of_nat (S n)) ->
  exists parts, Permutation l (concat parts) /\
    forall part, In part parts -> (length part = 2 \/ length part = 3)%nat /\ ForallOrdPairs (apart f g) part.
Proof.
  induction n as [|n IH]; intros l L F G.
  - exists [l]. split; [simpl; rewrite app_nil_r; reflexivity|]. intros part [<-|[]]. split; [lia|].
    assert (forall q : A -> Z, (forall v, with_value q v l <= Z.of_nat 1) -> ForallOrdPairs (fun r s => q r <> q s) l) as D.
    { clear. intros q H. induction l as [|r l IH]; [constructor|]. constructor.
      - apply Forall_forall. intros s Hs E. specialize (H (q r)). unfold with_value, number_of in H. cbn [sum] in H. rewrite Z.eqb_refl in H.
        pose proof (number_of_least _ (fun x => q x =? q r) l s Hs) as M. cbv beta in M. rewrite E, Z.eqb_refl in M. specialize (M eq_refl).
        rewrite E in H. unfold number_of in M. lia.
      - apply IH. intros v. specialize (H v). unfold with_value, number_of in *. cbn [sum] in H. destruct (q r =? v); lia. }
    pose proof (D f F) as P. pose proof (D g G) as Q. clear - P Q. induction P as [|r l P1 P IH]; [constructor|].
    inversion Q as [|? ? Q1 Q2]. subst. constructor; auto. rewrite Forall_forall in *. split; auto.
  - destruct (takable_pair f g l (Z.of_nat (S (S n)))) as [r [s [Hr [Hs [N [Tf Tg]]]]]]; auto; [lia|].
    destruct (in_first _ _ _ Hr) as [l1 P1]. assert (In s l1) as Hs1.
    { apply (Permutation_in _ P1) in Hs. destruct Hs as [->|Hs]; auto. destruct N as [N _]. congruence. }
    destruct (in_first _ _ _ Hs1) as [l2 P2]. assert (Permutation l (r :: s :: l2)) as P by (rewrite P1; constructor; exact P2).
    assert (forall q : A -> Z, (forall v, with_value q v l <= Z.of_nat (S (S n))) -> takes q l (Z.of_nat (S (S n))) r s ->
      forall v, with_value q v l2 <= Z.of_nat (S n)) as Left_.
    { intros q H T v. specialize (H v). specialize (T v). unfold full, with_value, number_of in *. rewrite (sum_permutation _ _ _ _ P) in H, T.
      cbn [sum] in H, T. destruct (Z.eqb_spec (q r) v), (Z.eqb_spec (q s) v); try lia. }
    destruct (IH l2) as [parts [Q1 Q2]]; [apply Permutation_length in P; cbn [length] in P; lia|apply Left_; auto|apply Left_; auto|].
    exists ([r; s] :: parts). split; [rewrite P; cbn [concat app]; do 2 constructor; exact Q1|].
    intros part [<-|Hp]; auto. split; [auto|]. repeat constructor; apply N.
Qed.
End Split.
