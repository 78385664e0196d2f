(** Theorem [release]: what is accepted is a release of the original under the policy, and costs what is answered. *)
From Coq Require Import ZArith List Bool Lia Permutation PArith.
From Incrowd Require Import Statement Sums Model Dominance Prices Runs Meeting.
Import ListNotations.
Open Scope Z_scope.

(** A vector for every row of the original comes from whoever asks: nothing of it is believed. *)
Fixpoint fitting (v : vector) (cells : list cell) : bool :=
  match v, cells with
  | [], [] => true
  | l :: v', c :: cells' => Nat.ltb l (length c) && fitting v' cells'
  | _, _ => false
  end.
Definition made (rv : row * vector) : record := (shown (snd rv) (fst (fst rv)), snd (fst rv)).
Definition record_eqb (x y : record) : bool := labels_eqb (fst x) (fst y) && (snd x =? snd y).
Fixpoint records_eqb (x y : list record) : bool :=
  match x, y with
  | [], [] => true
  | a :: x', b :: y' => record_eqb a b && records_eqb x' y'
  | _, _ => false
  end.
(** [R4] Every class has its crowd. *)
Definition crowds (p : policy) (released : list record) : bool :=
  forallb (fun r => free p (fst r) || (k p <=? snd r)) (runs labels_eqb (LabelsSort.sort (map fst released))).
(** [R5] Every class meets what is required. *)
Definition hash (x : list label) : positive := Z.to_pos (1 + fold_left (fun h l => (h * 31 + l) mod 1048576) x 0).
Definition all_meet (p : policy) (original : list row) (released : list record) : bool :=
  let judges := map (meets_now (map snd original)) (required p) in
  let dictionary := part_by (fun r => hash (fst r)) released in
  forallb (fun x => let class := map snd (filter (fun r => labels_eqb (fst r) (fst x)) (get (hash (fst x)) dictionary)) in
                    forallb (fun judge => judge class) judges)
    (match judges with [] => [] | _ => runs labels_eqb (LabelsSort.sort (map fst released)) end).
Definition accepts (p : policy) (original : list row) (released : list record) (vectors : list vector) : option Z :=
  let assigned := combine original vectors in
  let dictionary := part_by code_key (mask p) in
  if Nat.eqb (length original) (length vectors)
     && forallb (fun rv => allowed dictionary (snd rv) && fitting (snd rv) (fst (fst rv))) assigned
     && records_eqb (RecordSort.sort released) (RecordSort.sort (map made assigned))
     && crowds p released && all_meet p original released
  then Some (sum (fun rv => cost (snd rv) (fst (fst rv))) assigned) else None.

Lemma fitting_fits v : forall cells, fitting v cells = true -> fits v cells.
Proof.
  induction v as [|l v IH]; destruct cells as [|c cells]; simpl; intros H; try discriminate; [constructor|].
  apply andb_prop in H. destruct H as [H1 H2]. constructor; [apply Nat.ltb_lt; exact H1|apply IH; exact H2].
Qed.
Lemma records_eqb_eq x : forall y, records_eqb x y = true -> x = y.
Proof.
  induction x as [|[a o] x IH]; destruct y as [|[b q] y]; simpl; intros H; try discriminate; auto.
  unfold record_eqb in H. cbn [fst snd] in H. rewrite !andb_true_iff in H. destruct H as [[H1 H2] H3].
  apply labels_eqb_eq in H1. apply Z.eqb_eq in H2. rewrite (IH y H3). congruence.
Qed.
Lemma combine_fst A B (l : list A) : forall l' : list B, length l = length l' -> map fst (combine l l') = l.
Proof. induction l; destruct l'; simpl; intros H; try discriminate; auto. f_equal. apply IHl. lia. Qed.

(** [R8, R6] The released rows are the original's, each once and each at a vector of the mask. *)
Theorem release : forall p original released vectors total,
  accepts p original released vectors = Some total -> is_release p original released total.
Proof.
  intros p original released vectors total H. unfold accepts in H. set (rv := combine original vectors) in *.
  destruct (_ && _ && _ && _ && _) eqn:E; [|discriminate]. injection H as <-. rewrite !andb_true_iff in E.
  destruct E as [[[[E1 E2] E3] E4] E5]. apply Nat.eqb_eq in E1. rewrite forallb_forall in E2. apply records_eqb_eq in E3.
  exists rv. split; [|split; [|split; [|split; [|split]]]].
  - unfold rv. rewrite combine_fst; auto.
  - change (fun rv0 : row * vector => (shown (snd rv0) (fst (fst rv0)), snd (fst rv0))) with made.
    rewrite (RecordSort.Permuted_sort released). rewrite E3. symmetry. apply RecordSort.Permuted_sort.
  - intros r v Hr. specialize (E2 (r, v) Hr). apply andb_prop in E2. destruct E2 as [A F]. cbn [fst snd] in *. split.
    + exact (allowed_in (mask p) _ eq_refl (fun _ => 0) v A).
    + apply fitting_fits. exact F.
  - intros x Hx. unfold crowds in E4. rewrite forallb_forall in E4.
    pose proof (LabelsSort.Permuted_sort (map fst released)) as P. set (l := LabelsSort.sort (map fst released)) in *.
    destruct (runs_have labels_eqb (fun a b => proj1 (labels_eqb_eq a b)) l x (Permutation_in _ P Hx)) as [n Hn].
    specialize (E4 (x, n) Hn). cbn [fst snd] in E4. apply orb_prop in E4. destruct E4 as [F|K].
    + left. unfold free in F. apply andb_prop in F. destruct F as [F1 F2]. split; [exact F1|apply stars_true; exact F2].
    + right. apply Z.leb_le in K. rewrite crowd_class. unfold crowd.
      pose proof (runs_count labels_eqb (fun a b => proj1 (labels_eqb_eq a b)) (list_eq_dec Z.eq_dec) l x n Hn) as C.
      assert (count_occ (list_eq_dec Z.eq_dec) (map fst released) x = count_occ (list_eq_dec Z.eq_dec) l x) as ->; [|exact (Z.le_trans _ _ _ K C)].
      apply Permutation_count_occ. exact P.
  - intros x q Hx Hq. apply R5_meets. unfold all_meet in E5. rewrite forallb_forall in E5.
    pose proof (LabelsSort.Permuted_sort (map fst released)) as P.
    destruct (runs_have labels_eqb (fun a b => proj1 (labels_eqb_eq a b)) _ x (Permutation_in _ P Hx)) as [n Hn].
    specialize (E5 (x, n)). cbv zeta in E5. cbn [fst] in E5. rewrite forallb_forall in E5. rewrite get_part, filter_filter in E5.
    assert (class_of x released = map snd (filter (fun r => Pos.eqb (hash x) (hash (fst r)) && labels_eqb (fst r) x) released)) as ->.
    { unfold class_of. f_equal. apply filter_ext. intros [l o]. cbn [fst]. match goal with |- (if ?d then _ else _) = _ => destruct d as [E|N] end.
      - subst l. rewrite Pos.eqb_refl, labels_eqb_refl. reflexivity.
      - destruct (labels_eqb l x) eqn:L; [apply labels_eqb_eq in L; contradiction|]. rewrite andb_false_r. reflexivity. }
    apply (E5 ltac:(destruct (required p); [destruct Hq|exact Hn]) (meets_now (map snd original) q)). apply in_map. exact Hq.
  - rewrite sum_fold. reflexivity.
Qed.
Print Assumptions release.
