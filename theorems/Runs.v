(** Sorted lists and their runs: how rows are counted. Sorting is only ever used for this: it leaves the same elements. *)
From Coq Require Import ZArith List Bool Lia Permutation Mergesort Orders.
From Incrowd Require Import Statement Sums Model.
Import ListNotations.
Open Scope Z_scope.

(** Lists of labels in lexicographic order. *)
Fixpoint labels_leb (x y : list label) : bool :=
  match x, y with
  | [], _ => true
  | _, [] => false
  | a :: x', b :: y' => if a <? b then true else if b <? a then false else labels_leb x' y'
  end.
Lemma labels_leb_total x : forall y, labels_leb x y = true \/ labels_leb y x = true.
Proof.
  induction x as [|a x IH]; destruct y as [|b y]; simpl; auto.
  destruct (Z.ltb_spec a b), (Z.ltb_spec b a); auto; lia.
Qed.
(** [T2] Rows by what level 0 shows of their cells. *)
Definition values (r : list cell) : list label := map (fun c => fst (at_level O c)) r.
Module RowOrder <: TotalLeBool.
  Definition t := list cell.
  Definition leb (x y : t) := labels_leb (values x) (values y).
  Lemma leb_total x y : leb x y = true \/ leb y x = true.
  Proof. apply labels_leb_total. Qed.
End RowOrder.
Module RowSort := Sort RowOrder.
(** Released rows by what they show, then by their other columns. *)
Module RecordOrder <: TotalLeBool.
  Definition t := record.
  Definition leb (x y : t) := labels_leb (snd x :: fst x) (snd y :: fst y).
  Lemma leb_total x y : leb x y = true \/ leb y x = true.
  Proof. apply labels_leb_total. Qed.
End RecordOrder.
Module RecordSort := Sort RecordOrder.
Module LabelsOrder <: TotalLeBool.
  Definition t := list label.
  Definition leb (x y : t) := labels_leb x y.
  Lemma leb_total x y : leb x y = true \/ leb y x = true.
  Proof. apply labels_leb_total. Qed.
End LabelsOrder.
Module LabelsSort := Sort LabelsOrder.

Section Runs.
Context {A : Type}.
Variable eqb : A -> A -> bool.
Hypothesis eqb_eq : forall x y, eqb x y = true -> x = y.
Fixpoint runs (l : list A) : list (A * Z) :=
  match l with
  | [] => []
  | x :: l' =>
      match runs l' with
      | [] => [(x, 1)]
      | (y, n) :: more => if eqb x y then (y, n + 1) :: more else (x, 1) :: (y, n) :: more
      end
  end.
Lemma runs_positive l x n : In (x, n) (runs l) -> 1 <= n.
Proof.
  revert x n. induction l as [|a l IH]; intros x n; simpl; [tauto|]. destruct (runs l) as [|[y c] more].
  - intros [H|[]]. injection H as <- <-. lia.
  - destruct (eqb a y).
    + intros [H|H]; [injection H as <- <-; specialize (IH y c (or_introl eq_refl)); lia|apply (IH x n); right; exact H].
    + intros [H|H]; [injection H as <- <-; lia|apply (IH x n); exact H].
Qed.
Lemma runs_expand l : flat_map (fun r => repeat (fst r) (Z.to_nat (snd r))) (runs l) = l.
Proof.
  induction l as [|a l IH]; simpl; auto. pose proof (runs_positive l) as P. destruct (runs l) as [|[y c] more].
  - simpl in *. rewrite <- IH. reflexivity.
  - specialize (P y c (or_introl eq_refl)). destruct (eqb a y) eqn:E.
    + apply eqb_eq in E. subst a. rewrite <- IH. simpl. replace (Z.to_nat (c + 1)) with (S (Z.to_nat c)) by lia. reflexivity.
    + rewrite <- IH. simpl. reflexivity.
Qed.
Variable dec : forall x y : A, {x = y} + {x <> y}.
Lemma runs_count l x n : In (x, n) (runs l) -> n <= Z.of_nat (count_occ dec l x).
Proof.
  revert x n. induction l as [|a l IH]; intros x n; simpl; [tauto|]. destruct (runs l) as [|[y c] more] eqn:R.
  - intros [H|[]]. injection H as <- <-. destruct (dec a a); [|congruence]. lia.
  - destruct (eqb a y) eqn:E.
    + apply eqb_eq in E. subst y. intros [H|H].
      * injection H as <- <-. specialize (IH a c (or_introl eq_refl)). destruct (dec a a); [lia|congruence].
      * specialize (IH x n (or_intror H)). destruct (dec a x); lia.
    + intros [H|H].
      * injection H as <- <-. destruct (dec a a); [lia|congruence].
      * specialize (IH x n H). destruct (dec a x); lia.
Qed.
Lemma runs_have l x : In x l -> exists n, In (x, n) (runs l).
Proof.
  induction l as [|a l IH]; simpl; [tauto|]. intros H. destruct (runs l) as [|[y c] more].
  - destruct H as [<-|H]; [exists 1; left; auto|]. destruct (IH H) as [n []].
  - destruct (eqb a y) eqn:E.
    + apply eqb_eq in E. subst y. destruct H as [<-|H]; [exists (c + 1); left; auto|]. destruct (IH H) as [n [K|K]].
      * injection K as <- <-. exists (c + 1). left. auto.
      * exists n. right. exact K.
    + destruct H as [<-|H]; [exists 1; left; auto|]. destruct (IH H) as [n K]. exists n. right. exact K.
Qed.
End Runs.

Fixpoint cell_eqb (c d : cell) : bool :=
  match c, d with
  | [], [] => true
  | (x, z) :: c', (y, w) :: d' => (x =? y) && (z =? w) && cell_eqb c' d'
  | _, _ => false
  end.
Fixpoint cells_eqb (r t : list cell) : bool :=
  match r, t with
  | [], [] => true
  | c :: r', d :: t' => cell_eqb c d && cells_eqb r' t'
  | _, _ => false
  end.
Lemma cell_eqb_eq c : forall d, cell_eqb c d = true -> c = d.
Proof.
  induction c as [|[x z] c IH]; destruct d as [|[y w] d]; simpl; intros H; try discriminate; auto.
  rewrite !andb_true_iff in H. destruct H as [[H1 H2] H3]. apply Z.eqb_eq in H1, H2. rewrite (IH d H3). congruence.
Qed.
Lemma cells_eqb_eq r : forall t, cells_eqb r t = true -> r = t.
Proof.
  induction r as [|c r IH]; destruct t as [|d t]; simpl; intros H; try discriminate; auto.
  apply andb_prop in H. destruct H as [H1 H2]. apply cell_eqb_eq in H1. rewrite (IH t H2). congruence.
Qed.
