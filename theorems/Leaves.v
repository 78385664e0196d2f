(** [B3, B4; L1, L2] Leaves: prices of their own, named instances that are open, closed or either, and weighed cuts. *)
From Coq Require Import ZArith List Bool Lia Permutation PArith.
From Incrowd Require Import Statement Sums Model Reading Walk Dominance Prices Components Cuts.
Import ListNotations.
Open Scope Z_scope.

Section Recount.
Variable p : policy.
Variable m : nat.
Variable vectors : list vector.
Variable parts : Z.
Variable hub : option vector.
Variable skips : vector -> list type -> bool.
Variable own : list type.

(** [B1, L2] A named instance needs rows. *)
Definition name_of (n : Z) (name : vector * Z) : option named :=
  match find (fun i => place i =? snd name) own with
  | None => None
  | Some i => let s := shows (fst name) i in
              if is_hub hub (fst name) || free p s then None
              else Some (Named n (fst name) s (group own (fst name) s))
  end.
Fixpoint names_of (n : Z) (given : list (vector * Z)) : option (list named) :=
  match given with
  | [] => Some []
  | name :: given' =>
      match name_of n name, names_of (n + 1) given' with Some x, Some more => Some (x :: more) | _, _ => None end
  end.

Section Leaf.
Variable names : list named.
Definition named_there (dictionary : trie named) (v : vector) (g : list type) : bool :=
  match g with
  | [] => false
  | i :: _ => existsb (fun n => vector_eqb v (stands n) && labels_eqb (shows v i) (face n)) (get (code_key v) dictionary)
  end.
Definition moved_price (moves : trie (Z * Z)) (i : type) : Z :=
  price i + sum (fun x => if fst x =? place i then snd x else 0) (get (key (place i)) moves).

(** [B4] A cut's weight, in the cut's divisors. *)
Fixpoint weighed (known : list inequality) (weights : list (Z * Z)) : option (list (Z * inequality)) :=
  match weights with
  | [] => Some []
  | (at_, w) :: more =>
      match (if (0 <=? at_) && (at_ <? Z.of_nat (length known)) then nth_error known (Z.to_nat at_) else None), weighed known more with
      | Some q, Some l => if (0 <? divisor q) && (0 <=? w) && (w mod divisor q =? 0) then Some ((w / divisor q, q) :: l) else None
      | _, _ => None
      end
  end.
Definition state := list (Z * bool).
Definition is_open (st : state) (n : named) : option bool :=
  match find (fun x => fst x =? number n) st with Some x => Some (snd x) | None => None end.
(** [B3] What a named instance adds. *)
Definition named_adds (asks : type -> Z) (used : list (Z * inequality)) (st : state) (n : named) : Z :=
  match is_open st n with
  | Some false => 0
  | marked =>
      let mine := filter (fun x => touches (snd x) n) used in
      let q := parts * match rows n with [] => 0 | i :: _ => pays (stands n) i end in
      let opening := sum (fun x => fst x * opens (snd x) n) mine in
      let least_sum := opening + least (k p) (terms (fun i => q - asks i + sum (fun x => fst x * takes (snd x) n i) mine) (rows n)) in
      match marked with None => Z.min 0 least_sum | _ => least_sum end
  end.
Definition leaf_value (asks : type -> Z) (used : list (Z * inequality)) (st : state) : Z :=
  value p m vectors parts hub skips (named_there (part_by (fun n => code_key (stands n)) names)) asks own
  + sum (named_adds asks used st) names - sum (fun x => fst x * side (snd x)) used.
End Leaf.
End Recount.

(** Rows that show the same under a vector cost the same there. *)
Lemma same_cost m : forall rows r t v, tidy m rows = true -> In r rows -> In t rows -> shown v r = shown v t -> cost v r = cost v t.
Proof.
  induction m as [|m IH]; intros rows r t v H Hr Ht E.
  - pose proof (tidy_lengths _ _ _ H Hr). pose proof (tidy_lengths _ _ _ H Ht). destruct r, t; try discriminate. reflexivity.
  - destruct (tidy_columns _ _ _ _ O H Hr Ht (Nat.lt_0_succ m)) as [A [B _]].
    pose proof (tidy_lengths _ _ _ H Hr). pose proof (tidy_lengths _ _ _ H Ht).
    destruct r as [|c r]; [discriminate|]. destruct t as [|d t]; [discriminate|]. destruct v as [|l v]; [reflexivity|].
    rewrite !shown_cons in E. injection E as E1 E2. rewrite !cost_cons. cbn [nth] in A, B. f_equal.
    + destruct (Nat.lt_ge_cases l (length c)) as [L|L]; [|unfold at_level; rewrite !nth_overflow by lia; reflexivity].
      pose proof (fits_level l c L) as Nc. pose proof (fits_level l d ltac:(lia)) as Nd.
      destruct (at_level l c) as [x z], (at_level l d) as [y z']. cbn [fst snd] in *. subst y.
      specialize (A x l z Nc (ex_intro _ l (ex_intro _ z' Nd))). congruence.
    + simpl in H. rewrite !andb_true_iff in H. destruct H as [_ H]. apply (IH (map (@tl cell) rows)); auto; apply in_map_iff;
        [exists (c :: r)|exists (d :: t)]; auto.
Qed.

Section Sound.
Variable p : policy.
Variable types : list type.
Variable m : nat.
Variable vectors : list vector.
Hypothesis types_tidy : tidy m (map cells types) = true.
Hypothesis vectors_long : forall v, In v vectors -> length v = m.
Variable a : list entry.
Hypothesis a_rows : Permutation (map fst a) (expand types).
Hypothesis a_valid : valid p vectors a.
Variable parts : Z.
Hypothesis parts_positive : 0 < parts.
Variable hub : option vector.
Variable skips : vector -> list type -> bool.
Hypothesis a_settled : forall e, In e a -> free p (shows (snd e) (fst e)) = false ->
  skips (snd e) (group types (snd e) (shows (snd e) (fst e))) = false.
Variable inc : type -> bool.
Hypothesis inc_apart : forall e, In e a -> free p (shows (snd e) (fst e)) = false -> is_hub hub (snd e) = false ->
  forall i j, In i (group types (snd e) (shows (snd e) (fst e))) -> In j (group types (snd e) (shows (snd e) (fst e))) -> inc i = inc j.
Let own := own_types types inc.
Let own_entries := own_rows a inc.
Definition taken (n : named) : list type := map fst (class a inc (stands n) (face n)).

Definition proper (n : named) : Prop :=
  is_hub hub (stands n) = false /\ free p (face n) = false /\ rows n = group own (stands n) (face n).
Lemma B1_proper given : forall n names, names_of p hub own n given = Some names -> forall x, In x names -> proper x.
Proof.
  induction given as [|name given IH]; intros n names H x Hx; simpl in H; [injection H as <-; destruct Hx|].
  unfold name_of in H. destruct (find _ own) as [i|]; [|discriminate].
  destruct (is_hub hub (fst name) || free p (shows (fst name) i)) eqn:E; [discriminate|].
  destruct (names_of p hub own (n + 1) given) as [more|] eqn:M; [|discriminate]. injection H as <-.
  destruct Hx as [<-|Hx]; [|eapply IH; eauto]. apply orb_false_iff in E. destruct E. split; [|split]; auto.
Qed.

Lemma nothing_taken n : taken n = [] <-> class a inc (stands n) (face n) = [].
Proof. unfold taken. split; [apply map_eq_nil|intros ->; reflexivity]. Qed.
Lemma taken_crowded n : proper n -> taken n <> [] -> k p <= sum (fun _ => 1) (taken n).
Proof.
  intros [H1 [H2 _]] N. rewrite nothing_taken in N. destruct (class a inc (stands n) (face n)) as [|e l] eqn:E; [congruence|].
  apply (K1_class p types vectors a a_rows a_valid hub skips a_settled inc inc_apart (stands n) (face n) e); auto.
  rewrite E. left. reflexivity.
Qed.
Lemma taken_alike n i : In i (taken n) -> alike (stands n) (face n) i = true.
Proof.
  unfold taken. intros H. apply in_map_iff in H. destruct H as [e [<- He]]. apply filter_In in He. destruct He as [_ He].
  unfold inside in He. apply andb_prop in He. tauto.
Qed.
(** Named instances that are different have different rows. *)
Definition in_named (n : named) (e : entry) : bool := inside (stands n) (face n) e.
Lemma one_named l (d : entry -> Z) : distinct l = true -> forall es,
  sum (fun n => sum d (filter (in_named n) es)) l = sum d (filter (fun e => existsb (fun n => in_named n e) l) es).
Proof.
  induction l as [|n l IH]; intros D es; simpl.
  - rewrite all_false by reflexivity. reflexivity.
  - simpl in D. apply andb_prop in D. destruct D as [D1 D2]. rewrite (IH D2). rewrite !sum_filter, <- sum_add. apply sum_eq.
    intros e _. destruct (in_named n e) eqn:E; simpl; [|lia].
    destruct (existsb (fun n0 => in_named n0 e) l) eqn:X; [|lia]. exfalso. apply existsb_exists in X. destruct X as [y [Hy X]].
    rewrite forallb_forall in D1. specialize (D1 y Hy). unfold in_named in *. rewrite inside_true in E, X.
    assert (same_instance n y = true) as S by (apply same_true; destruct E, X; split; congruence). rewrite S in D1. discriminate.
Qed.
Lemma taken_apart f l : distinct l = true -> (forall i, 0 <= f i) ->
  sum (fun n => sum f (taken n)) l <= sum (fun i => Z.max 0 (count i) * f i) own.
Proof.
  intros D F. unfold own. rewrite <- (own_sum types a a_rows inc f). fold own_entries.
  rewrite (sum_eq _ _ (fun n => sum (fun e => f (fst e)) (filter (in_named n) own_entries))).
  2:{ intros n _. unfold taken. rewrite sum_map. reflexivity. }
  rewrite one_named by exact D. rewrite sum_filter. apply sum_le. intros e _. specialize (F (fst e)).
  destruct (existsb _ _); lia.
Qed.
Lemma taken_chosen n : proper n -> chosen_from (taken n) (rows n).
Proof. intros [_ [_ ->]]. apply (class_chosen types a a_rows inc). Qed.

Section Names.
Variable names : list named.
Hypothesis names_distinct : distinct names = true.
Hypothesis names_proper : forall n, In n names -> proper n.
Let there := named_there (part_by (fun n => code_key (stands n)) names).
Variable asks : type -> Z.
Let owed (e : entry) : Z := gap parts asks e.

(** What is left out of the walk is what the names hold. *)
Lemma L2_elsewhere e : In e own_entries -> elsewhere types inc there e = existsb (fun n => in_named n e) names.
Proof.
  intros He. unfold elsewhere, there, named_there. set (s := shows (snd e) (fst e)). fold own.
  assert (In (fst e) (group own (snd e) s)) as G.
  { unfold own_entries, own_rows in He. apply filter_In in He. destruct He as [He Hi]. apply filter_In.
    split; [|apply labels_eqb_refl]. apply filter_In. split; [apply (a_types types a a_rows); exact He|exact Hi]. }
  destruct (group own (snd e) s) as [|i g] eqn:E; [destruct G|].
  assert (shows (snd e) i = s) as ->.
  { apply labels_eqb_eq. assert (In i (group own (snd e) s)) as I by (rewrite E; left; reflexivity). apply filter_In in I. tauto. }
  rewrite get_part. apply eq_true_iff_eq. rewrite !existsb_exists. split; intros [n [Hn H]]; exists n.
  - apply filter_In in Hn. split; [tauto|]. apply andb_prop in H. destruct H as [H1 H2]. apply inside_true.
    apply vector_eqb_eq in H1. apply labels_eqb_eq in H2. unfold s in H2. rewrite <- H1. auto.
  - apply inside_true in H. destruct H as [H1 H2]. rewrite H1. split.
    + apply filter_In. split; auto. apply Pos.eqb_refl.
    + rewrite vector_eqb_refl. simpl. unfold s. rewrite H1, H2. apply labels_eqb_refl.
Qed.
Lemma L2_value : value p m vectors parts hub skips there asks own
    + sum (fun n => sum owed (class a inc (stands n) (face n))) names <= parts * total_cost own_entries.
Proof.
  pose proof (P1_value p types m vectors types_tidy vectors_long a a_rows a_valid parts parts_positive hub skips a_settled inc
    inc_apart asks there) as V.
  fold own own_entries in V. eapply Z.le_trans; [|exact V]. apply Z.add_le_mono_l.
  rewrite (sum_eq _ _ (fun n => sum owed (filter (in_named n) own_entries))) by reflexivity.
  rewrite (one_named names owed names_distinct). apply Z.eq_le_incl. f_equal. apply filter_ext_in. intros e He.
  symmetry. apply L2_elsewhere. exact He.
Qed.

(** [B4] The weighed cuts, added up. *)
Variable used : list (Z * inequality).
Hypothesis used_hold : forall x, In x used -> 0 <= fst x /\ holds names taken (snd x).
Hypothesis used_quiet : forall x n, In x used -> touches (snd x) n = false -> opens (snd x) n = 0 /\ forall i, takes (snd x) n i = 0.
Definition opening (n : named) : Z := sum (fun x => fst x * opens (snd x) n) used.
Definition taking (n : named) (i : type) : Z := sum (fun x => fst x * takes (snd x) n i) used.
Lemma sum_swap A B (f : A -> B -> Z) l l' : sum (fun x => sum (f x) l') l = sum (fun y => sum (fun x => f x y) l) l'.
Proof.
  induction l as [|x l IH]; simpl; [symmetry; apply sum_zero; reflexivity|]. rewrite IH, <- sum_add. reflexivity.
Qed.
Lemma B4_cuts : sum (fun n => opening n * open taken n + sum (taking n) (taken n)) names
  <= sum (fun x => fst x * side (snd x)) used.
Proof.
  unfold opening, taking.
  rewrite (sum_eq _ _ (fun n => sum (fun x => fst x * (opens (snd x) n * open taken n + sum (takes (snd x) n) (taken n))) used)).
  - rewrite sum_swap. apply sum_le. intros x Hx. rewrite sum_mul. destruct (used_hold x Hx) as [U H]. unfold holds in H. nia.
  - intros n _. rewrite (sum_swap _ _ (fun i x => fst x * takes (snd x) n i)).
    rewrite Z.mul_comm, <- sum_mul, <- sum_add. apply sum_eq. intros x _. rewrite (sum_mul _ (fst x) (takes (snd x) n)). lia.
Qed.

(** [B3] The state of a leaf, and what a named instance adds there. *)
Variable st : state.
Definition reached : Prop := forall n b, In n names -> is_open st n = Some b -> if b then taken n <> [] else taken n = [].
Hypothesis st_reached : reached.
Lemma sum_mine f : (forall x n, In x used -> touches (snd x) n = false -> f n x = 0) -> forall n,
  sum (f n) (filter (fun x => touches (snd x) n) used) = sum (f n) used.
Proof. intros F n. rewrite sum_filter. apply sum_eq. intros x Hx. specialize (F x n Hx). destruct (touches (snd x) n); auto. symmetry. auto. Qed.
Lemma B3_adds n : In n names ->
  named_adds p parts asks used st n <= sum owed (class a inc (stands n) (face n)) + opening n * open taken n + sum (taking n) (taken n).
Proof.
  intros Hn. pose proof (names_proper n Hn) as P. pose proof (st_reached n) as St. unfold named_adds.
  set (q := parts * _). set (mine := filter _ used).
  assert (sum (fun x => fst x * opens (snd x) n) mine = opening n) as ->.
  { unfold opening. apply (sum_mine (fun n x => fst x * opens (snd x) n)). intros x y Hx T. destruct (used_quiet x y Hx T) as [-> _]. lia. }
  assert (forall i, sum (fun x => fst x * takes (snd x) n i) mine = taking n i) as T.
  { intros i. unfold taking. apply (sum_mine (fun n x => fst x * takes (snd x) n i)). intros x y Hx T.
    destruct (used_quiet x y Hx T) as [_ ->]. lia. }
  set (term := fun i => q - asks i + sum (fun x => fst x * takes (snd x) n i) mine).
  assert (sum owed (class a inc (stands n) (face n)) + sum (taking n) (taken n) = sum term (taken n)) as E.
  { unfold taken. rewrite !sum_map, <- sum_add. apply sum_eq. intros e He. unfold term. rewrite T. unfold owed, gap.
    enough (parts * pays (snd e) (fst e) = q) by lia. unfold q. f_equal.
    assert (In (fst e) (rows n)) as I.
    { destruct P as [_ [_ ->]]. unfold class, own_rows in He. rewrite filter_filter in He. apply filter_In in He.
      destruct He as [He HI]. apply andb_prop in HI. destruct HI as [HI1 HI2]. unfold inside in HI2. apply andb_prop in HI2.
      apply filter_In. split; [|tauto]. apply filter_In. split; auto. apply (a_types types a a_rows). exact He. }
    unfold class in He. apply filter_In in He. destruct He as [_ HI]. apply inside_true in HI. destruct HI as [-> HI].
    destruct (rows n) as [|i g] eqn:G; [destruct I|]. destruct P as [_ [_ PG]].
    assert (forall y, In y (i :: g) -> In y types /\ shows (stands n) y = face n) as Y.
    { intros y Hy. rewrite <- G, PG in Hy. apply filter_In in Hy. destruct Hy as [Hy Hs]. apply filter_In in Hy. split; [tauto|].
      apply labels_eqb_eq. exact Hs. }
    destruct (Y i (or_introl eq_refl)) as [Y1 Y2]. destruct (Y (fst e) I) as [Y3 _].
    apply (same_cost m (map cells types)); auto using in_map. unfold shows in *. congruence. }
  destruct (open_cases taken n) as [[O N]|[O N]]; rewrite O.
  - rewrite N in *. simpl sum in E |- *. destruct (is_open st n) as [[]|] eqn:S.
    + specialize (St true Hn eq_refl). cbn in St. congruence.
    + lia.
    + lia.
  - pose proof (P2_least term (taken n) (rows n) (k p) (taken_chosen n P) (taken_crowded n P N)) as L.
    destruct (is_open st n) as [[]|] eqn:S.
    + lia.
    + specialize (St false Hn eq_refl). cbn in St. congruence.
    + lia.
Qed.
Lemma B4_leaf : leaf_value p m vectors parts hub skips own names asks used st <= parts * total_cost own_entries.
Proof.
  unfold leaf_value. fold there. pose proof L2_value as V. pose proof B4_cuts as C.
  assert (sum (named_adds p parts asks used st) names
    <= sum (fun n => sum owed (class a inc (stands n) (face n)) + (opening n * open taken n + sum (taking n) (taken n))) names) as A.
  { apply sum_le. intros n Hn. pose proof (B3_adds n Hn). lia. }
  rewrite sum_add in A. lia.
Qed.
End Names.

End Sound.
