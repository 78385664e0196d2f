(** From a release, as [Statement.v] says it, to an assignment all of whose classes stand at one vector.

    Rows of one class may be read at different vectors, for a label may stand at several levels. Where a label means the same
    cells at all its levels, and costs the same for all of them ([tidy]: (A2) of docs/papers/certificates.md), the whole class may
    be read as its cheapest row is. *)
From Coq Require Import ZArith List Bool Lia Permutation PArith.
From Incrowd Require Import Statement Sums Required Model.
Import ListNotations.
Open Scope Z_scope.

(** At which levels a cell shows a label, and what it costs there. *)
Fixpoint places (l : label) (from : nat) (c : cell) : list (nat * Z) :=
  match c with
  | [] => []
  | (x, z) :: c' => if x =? l then (from, z) :: places l (S from) c' else places l (S from) c'
  end.
Fixpoint places_eqb (x y : list (nat * Z)) : bool :=
  match x, y with
  | [], [] => true
  | (l, z) :: x', (l', z') :: y' => Nat.eqb l l' && (z =? z') && places_eqb x' y'
  | _, _ => false
  end.

Definition key (l : label) : positive := Z.to_pos (l + 1).
(** One column: every label stands at the same levels of all cells that show it; labels and costs are not below 0. *)
Definition column_tidy (column : list cell) : bool :=
  let known := part_by (fun lc => key (fst lc)) (flat_map (fun c => map (fun x => (fst x, places (fst x) 0 c)) c) column) in
  forallb (fun c => forallb (fun x => (0 <=? fst x) && (0 <=? snd x) &&
    match get (key (fst x)) known with
    | (_, there) :: _ => places_eqb (places (fst x) 0 c) there
    | [] => false
    end) c) column.
Definition one_height (column : list cell) : bool :=
  forallb (fun c => Nat.eqb (length c) (length (hd [] column))) column.
Fixpoint tidy (m : nat) (rows : list (list cell)) : bool :=
  match m with
  | O => forallb (fun r => match r with [] => true | _ => false end) rows
  | S m' => forallb (fun r => match r with [] => false | _ => true end) rows
            && (one_height (map (hd []) rows) && column_tidy (map (hd []) rows)) && tidy m' (map (@tl cell) rows)
  end.

Lemma places_eqb_eq x : forall y, places_eqb x y = true -> x = y.
Proof.
  induction x as [|[l z] x IH]; destruct y as [|[l' z'] y]; simpl; intros H; try discriminate; auto.
  rewrite !andb_true_iff in H. destruct H as [[H1 H2] H3].
  apply Nat.eqb_eq in H1. apply Z.eqb_eq in H2. rewrite (IH y H3). congruence.
Qed.
Lemma places_spec l z x : forall c from,
  In (x, z) (places l from c) <-> exists d, x = (from + d)%nat /\ nth_error c d = Some (l, z).
Proof.
  induction c as [|[y w] c IH]; intros from; simpl.
  - split; [tauto|]. intros [d [_ H]]. destruct d; discriminate.
  - assert (In (x, z) (places l (S from) c) <-> exists d, x = (from + S d)%nat /\ nth_error c d = Some (l, z)) as R.
    { rewrite IH. split; intros [d [H1 H2]]; exists d; split; auto; lia. }
    destruct (Z.eqb_spec y l) as [->|Hne]; simpl; rewrite R; split.
    + intros [H|[d [H1 H2]]]; [injection H as <- <-; exists 0%nat; split; [lia|reflexivity]|exists (S d); auto].
    + intros [[|d] [H1 H2]]; [left; injection H2 as ->; f_equal; lia|right; exists d; auto].
    + intros [d [H1 H2]]. exists (S d). auto.
    + intros [[|d] [H1 H2]]; [injection H2 as -> ->; congruence|exists d; auto].
Qed.

(** What [tidy] says of two cells of one column. *)
Definition agree (c d : cell) : Prop :=
  forall l x z, nth_error c x = Some (l, z) -> (exists y, exists z', nth_error d y = Some (l, z')) ->
  nth_error d x = Some (l, z).

Lemma column_tidy_agree column c d : column_tidy column = true -> In c column -> In d column -> agree c d.
Proof.
  unfold column_tidy. set (known := part_by _ _). intros H Hc Hd l x z Hx [y [z' Hy]].
  rewrite forallb_forall in H. pose proof (H c Hc) as C. pose proof (H d Hd) as D. clear H.
  rewrite forallb_forall in C, D.
  specialize (C (l, z) (nth_error_In _ _ Hx)). specialize (D (l, z') (nth_error_In _ _ Hy)).
  cbn [fst snd] in *. rewrite !andb_true_iff in C, D. destruct C as [_ C]. destruct D as [_ D].
  destruct (get (key l) known) as [|[? there] ?]; [discriminate|].
  apply places_eqb_eq in C. apply places_eqb_eq in D.
  assert (In (x, z) (places l 0 c)) as P by (apply places_spec; exists x; auto).
  rewrite C, <- D in P. apply places_spec in P. destruct P as [e [-> P]]. exact P.
Qed.
Lemma column_tidy_nonneg column c l z : column_tidy column = true -> In c column -> In (l, z) c -> 0 <= l /\ 0 <= z.
Proof.
  unfold column_tidy. intros H Hc Hl. rewrite forallb_forall in H. specialize (H c Hc).
  rewrite forallb_forall in H. specialize (H (l, z) Hl). rewrite !andb_true_iff in H. cbn in H.
  destruct H as [[H1 H2] _]. apply Z.leb_le in H1, H2. auto.
Qed.

Lemma fits_level l c : (l < length c)%nat -> nth_error c l = Some (at_level l c).
Proof. unfold at_level. intros H. apply nth_error_nth'. exact H. Qed.

(** (A2) Two rows that show the same, each at a vector of its own, show the same at the first one's, at the same cost. *)
Lemma tidy_same m : forall rows r t v u, tidy m rows = true -> In r rows -> In t rows ->
  fits v r -> fits u t -> shown v r = shown u t -> fits v t /\ shown v t = shown v r /\ cost v t = cost v r.
Proof.
  induction m as [|m IH]; intros rows r t v u H Hr Ht Fr Ft E; simpl in H.
  - rewrite forallb_forall in H. pose proof (H r Hr). pose proof (H t Ht).
    destruct r, t; try discriminate. inversion Fr; subst. repeat split; auto.
  - rewrite !andb_true_iff in H. destruct H as [[Hlen [_ Hcol]] Hrest].
    rewrite forallb_forall in Hlen. pose proof (Hlen r Hr). pose proof (Hlen t Ht).
    destruct r as [|c r]; [discriminate|]. destruct t as [|d t]; [discriminate|].
    inversion Fr as [|l c0 v0 r0 Hl Fr1]; subst. inversion Ft as [|l1 d0 u0 t0 Hl1 Ft1]; subst. rename v0 into v1, u0 into u1.
    rewrite !shown_cons in E. injection E as E1 E2.
    destruct (IH (map (@tl cell) rows) r t v1 u1) as [G1 [G2 G3]]; auto.
    { apply in_map_iff. exists (c :: r). auto. }
    { apply in_map_iff. exists (d :: t). auto. }
    assert (agree c d) as A.
    { apply (column_tidy_agree (map (hd []) rows)); auto; apply in_map_iff; [exists (c :: r)|exists (d :: t)]; auto. }
    pose proof (fits_level l c Hl) as Nc. pose proof (fits_level l1 d Hl1) as Nd.
    destruct (at_level l c) as [x z] eqn:Ec. destruct (at_level l1 d) as [x1 z1] eqn:Ed. cbn in E1. subst x1.
    specialize (A x l z Nc (ex_intro _ l1 (ex_intro _ z1 Nd))).
    assert (l < length d)%nat as Hd by (apply nth_error_Some; congruence).
    assert (at_level l d = (x, z)) as Ad by (pose proof (fits_level l d Hd); congruence).
    repeat split.
    + constructor; auto.
    + rewrite !shown_cons, Ad, Ec, G2. reflexivity.
    + rewrite !cost_cons, Ad, Ec, G3. reflexivity.
Qed.

Section Uniform.
Variable p : policy.
Variable types : list type.
Variable m : nat.
Hypothesis types_tidy : tidy m (map cells types) = true.
Variable a : list entry.
Hypothesis rows_are_types : forall e, In e a -> In (fst e) types.
Variable vectors : list vector.
Hypothesis a_fits : forall i v, In (i, v) a -> In v vectors /\ fits v (cells i).
Definition record_of (e : entry) : list label := shows (snd e) (fst e).
Hypothesis a_crowds : forall e, In e a ->
  outlier p (record_of e) \/ k p <= number_of (fun e' => labels_eqb (record_of e') (record_of e)) a.

(** The cheapest of some entries. *)
Fixpoint cheapest (best : entry) (l : list entry) : entry :=
  match l with
  | [] => best
  | e :: l' => cheapest (if pays (snd e) (fst e) <? pays (snd best) (fst best) then e else best) l'
  end.
Lemma cheapest_spec l : forall best, (cheapest best l = best \/ In (cheapest best l) l) /\
  pays (snd (cheapest best l)) (fst (cheapest best l)) <= pays (snd best) (fst best) /\
  forall e, In e l -> pays (snd (cheapest best l)) (fst (cheapest best l)) <= pays (snd e) (fst e).
Proof.
  induction l as [|x l IH]; simpl; intros best; [repeat split; auto; try lia; tauto|].
  set (b := if _ <? _ then x else best). destruct (IH b) as [[E|I] [L A]].
  - unfold b in *. destruct (Z.ltb_spec (pays (snd x) (fst x)) (pays (snd best) (fst best)));
      (repeat split; [auto|lia|intros e [<-|He]; [lia|auto]]).
  - unfold b in *. destruct (Z.ltb_spec (pays (snd x) (fst x)) (pays (snd best) (fst best)));
      (repeat split; [auto|lia|intros e [<-|He]; [lia|auto]]).
Qed.
Definition lead (e : entry) : entry :=
  match filter (fun e' => labels_eqb (record_of e') (record_of e)) a with [] => e | x :: l => cheapest x l end.
Definition uniform : list entry := map (fun e => (fst e, snd (lead e))) a.

Lemma lead_spec e : In e a -> In (lead e) a /\ record_of (lead e) = record_of e /\
  pays (snd (lead e)) (fst (lead e)) <= pays (snd e) (fst e).
Proof.
  intros He. unfold lead. set (l := filter _ a).
  assert (forall x, In x l <-> In x a /\ record_of x = record_of e) as L.
  { intro x. unfold l. rewrite filter_In, labels_eqb_eq. tauto. }
  assert (In e l) as Hl by (apply L; auto). destruct l as [|x l']; [destruct Hl|].
  destruct (cheapest_spec l' x) as [C [C1 C2]].
  assert (In (cheapest x l') (x :: l')) as I by (destruct C as [->|C]; [left|right]; auto).
  apply L in I. destruct I as [I1 I2]. repeat split; auto.
  destruct Hl as [<-|Hl]; auto.
Qed.
Lemma lead_record e e' : record_of e = record_of e' -> In e a -> In e' a -> lead e = lead e'.
Proof.
  intros E He He'. unfold lead. rewrite E. set (l := filter _ a).
  assert (In e' l) as H by (unfold l; apply filter_In; split; auto; apply labels_eqb_refl). destruct l; [destruct H|auto].
Qed.
Lemma tidy_entries e e' : In e a -> In e' a -> record_of e = record_of e' ->
  shows (snd e) (fst e') = record_of e /\ pays (snd e) (fst e') = pays (snd e) (fst e).
Proof.
  intros He He' E. destruct e as [i v], e' as [j u]. destruct (a_fits i v He) as [_ Fi]. destruct (a_fits j u He') as [_ Fj].
  destruct (tidy_same m (map cells types) (cells i) (cells j) v u) as [_ [S P]]; auto.
  - apply in_map, (rows_are_types (i, v) He).
  - apply in_map, (rows_are_types (j, u) He').
Qed.

Lemma uniform_rows : map fst uniform = map fst a.
Proof. unfold uniform. rewrite map_map. reflexivity. Qed.
Lemma uniform_cost : total_cost uniform <= total_cost a.
Proof.
  unfold total_cost, uniform. rewrite sum_map. cbn [fst snd]. apply sum_le. intros e He.
  destruct (lead_spec e He) as [H1 [H2 H3]].
  destruct (tidy_entries (lead e) e H1 He H2) as [_ ->]. exact H3.
Qed.
Lemma uniform_valid : valid p vectors uniform.
Proof.
  intros i v H. unfold uniform in H. apply in_map_iff in H. destruct H as [e [E He]]. injection E as <- <-.
  destruct (lead_spec e He) as [H1 [H2 H3]]. destruct (tidy_entries _ _ H1 He H2) as [S _].
  split; [destruct (lead e) as [j u]; apply (a_fits j u H1)|]. rewrite S.
  unfold need. destruct (a_crowds (lead e) H1) as [[F O]|C].
  - assert (free p (record_of (lead e)) = true) as ->.
    { unfold free. rewrite F. apply stars_true. exact O. }
    pose proof (number_of_nonneg _ (inside (snd (lead e)) (record_of (lead e))) uniform). lia.
  - assert (k p <= number_of (inside (snd (lead e)) (record_of (lead e))) uniform).
    { eapply Z.le_trans; [exact C|]. unfold number_of, uniform. rewrite sum_map. apply sum_le. intros x Hx.
      destruct (labels_eqb (record_of x) (record_of (lead e))) eqn:R.
      - apply labels_eqb_eq in R. rewrite (proj2 (inside_true _ _ _)); [lia|]. cbn [fst snd].
        rewrite (lead_record x e) by (auto; congruence). split; auto.
        apply (tidy_entries (lead e) x); auto.
      - destruct (inside _ _ _); lia. }
    destruct (free _ _); lia.
Qed.

(** Rows that stand together satisfy [good], or are none. *)
Definition keeps (good : list type -> Prop) (l : list entry) : Prop :=
  forall w t, let c := map fst (filter (inside w t) l) in c = [] \/ good c.
Lemma uniform_keeps (good : list type -> Prop) :
  (forall e, In e a -> good (map fst (filter (fun e' => labels_eqb (record_of e') (record_of e)) a))) -> keeps good uniform.
Proof.
  intros H w t. cbv zeta. destruct (filter (inside w t) uniform) as [|y l] eqn:E; [left; reflexivity|right]. rewrite <- E.
  assert (In y (filter (inside w t) uniform)) as Hy by (rewrite E; left; reflexivity). clear E l.
  apply filter_In in Hy. destruct Hy as [Hy I]. unfold uniform in Hy. apply in_map_iff in Hy. destruct Hy as [e [<- He]].
  apply inside_true in I. cbn [fst snd] in I. destruct I as [<- <-].
  assert (forall x, In x a -> shows (snd (lead x)) (fst x) = record_of x) as S.
  { intros x Hx. destruct (lead_spec x Hx) as [L1 [L2 _]]. destruct (tidy_entries _ _ L1 Hx L2) as [T _]. congruence. }
  rewrite (S e He). unfold uniform. rewrite filter_map, map_map. cbn [fst snd].
  specialize (H e He).
  assert (filter (fun x => inside (snd (lead e)) (record_of e) (fst x, snd (lead x))) a
          = filter (fun e' => labels_eqb (record_of e') (record_of e)) a) as ->; [|exact H].
  apply filter_ext_in. intros x Hx. destruct (labels_eqb (record_of x) (record_of e)) eqn:R.
  - apply labels_eqb_eq in R. apply inside_true. cbn [fst snd]. rewrite (lead_record x e) by auto. split; auto.
    rewrite <- (lead_record x e), (S x Hx) by auto. exact R.
  - destruct (inside _ _ _) eqn:I; auto. apply inside_true in I. cbn [fst snd] in I. destruct I as [I1 I2].
    rewrite <- I1, (S x Hx) in I2. rewrite I2, labels_eqb_refl in R. discriminate.
Qed.
End Uniform.

Lemma count_occ_number (l : list (list label)) x :
  Z.of_nat (count_occ (list_eq_dec Z.eq_dec) l x) = number_of (fun y => labels_eqb y x) l.
Proof.
  unfold number_of. induction l as [|y l IH]; simpl; auto. rewrite <- IH. destruct (list_eq_dec Z.eq_dec y x) as [->|N].
  - rewrite labels_eqb_refl. lia.
  - destruct (labels_eqb y x) eqn:E; [apply labels_eqb_eq in E; contradiction|]. lia.
Qed.
Lemma fits_length v cells : fits v cells -> length v = length cells.
Proof. induction 1; simpl; congruence. Qed.

(** A release is an assignment of vectors to the rows of the types; [tag] is what else is told of rows and of types. *)
Lemma assigned_to (tag : row -> Z) (its : type -> Z) original types (rv : list (row * vector)) :
  Permutation original (map fst rv) ->
  Permutation (map (fun r => (fst r, tag r)) original) (map (fun i => (cells i, its i)) (expand types)) ->
  exists a : list entry, Permutation (map fst a) (expand types) /\
    map (fun e => (cells (fst e), its (fst e), snd e)) a = map (fun x => (fst (fst x), tag (fst x), snd x)) rv.
Proof.
  intros H1 HT.
  assert (Permutation (map (fun x => (fst (fst x), tag (fst x))) rv) (map (fun i => (cells i, its i)) (expand types))) as P.
  { rewrite <- HT. rewrite <- (map_map fst (fun r => (fst r, tag r))). apply Permutation_map. symmetry. exact H1. }
  destruct (Permutation_map_inv _ _ P) as [l [L1 L2]].
  assert (exists a : list entry, map fst a = l /\
    map (fun e => (cells (fst e), its (fst e), snd e)) a = map (fun x => (fst (fst x), tag (fst x), snd x)) rv) as [a [A1 A2]].
  { clear - L1. revert l L1. induction rv as [|[r v] rv IH]; intros [|i l] E; simpl in E; try discriminate.
    - exists []. auto.
    - injection E as E1 E2 E3. destruct (IH l E3) as [a [A1 A2]]. exists ((i, v) :: a). simpl. rewrite A1, A2, <- E1, <- E2. auto. }
  exists a. split; [rewrite A1; symmetry; exact L2|exact A2].
Qed.
Lemma permutation_filter A (b : A -> bool) l l' : Permutation l l' -> Permutation (filter b l) (filter b l').
Proof.
  induction 1; simpl; try destruct (b x); try destruct (b y); auto; try constructor; auto. eapply Permutation_trans; eauto.
Qed.

Section Entries.
Variable p : policy.
Variable rv : list (row * vector).
Variable released : list record.
Hypothesis rv_made : Permutation released (map (fun x => (shown (snd x) (fst (fst x)), snd (fst x))) rv).
Variable a : list entry.
Lemma entries_cost : map (fun e => (cells (fst e), snd e)) a = map (fun x => (fst (fst x), snd x)) rv ->
  fold_right Z.add 0 (map (fun x => cost (snd x) (fst (fst x))) rv) = total_cost a.
Proof.
  intros A. rewrite sum_fold. unfold total_cost. apply (f_equal (sum (fun x => cost (snd x) (fst x)))) in A.
  rewrite !sum_map in A. symmetry. exact A.
Qed.
Lemma entries_fit : map (fun e => (cells (fst e), snd e)) a = map (fun x => (fst (fst x), snd x)) rv ->
  (forall r v, In (r, v) rv -> In v (mask p) /\ fits v (fst r)) -> forall i v, In (i, v) a -> In v (mask p) /\ fits v (cells i).
Proof.
  intros A H3 i v H. apply (in_map (fun e => (cells (fst e), snd e))) in H. rewrite A in H. apply in_map_iff in H.
  destruct H as [[r u] [E H]]. cbn [fst snd] in E. injection E as <- <-. apply (H3 r u H).
Qed.
Lemma entries_shown : map (fun e => (cells (fst e), snd e)) a = map (fun x => (fst (fst x), snd x)) rv ->
  Permutation (map fst released) (map record_of a).
Proof.
  intros A. assert (map record_of a = map (fun x => shown (snd x) (fst (fst x))) rv) as ->.
  { apply (f_equal (map (fun x => shown (snd x) (fst x)))) in A. rewrite !map_map in A. exact A. }
  pose proof (Permutation_map fst rv_made) as P. rewrite map_map in P. exact P.
Qed.
Lemma entries_crowded : map (fun e => (cells (fst e), snd e)) a = map (fun x => (fst (fst x), snd x)) rv ->
  (forall x, In x (map fst released) -> outlier p x \/ k p <= Z.of_nat (length (class_of x released))) ->
  forall e, In e a -> outlier p (record_of e) \/ k p <= number_of (fun e' => labels_eqb (record_of e') (record_of e)) a.
Proof.
  intros A H4 e He. pose proof (entries_shown A) as PR. apply (in_map record_of) in He.
  assert (In (record_of e) (map fst released)) as Hx by (apply (Permutation_in _ (Permutation_sym PR)); exact He).
  destruct (H4 _ Hx) as [O|C]; [left; exact O|right]. rewrite crowd_class in C. unfold crowd in C. rewrite count_occ_number in C.
  unfold number_of in *. rewrite (sum_permutation _ _ _ _ PR), sum_map in C. exact C.
Qed.
(** The other columns of a class. *)
Lemma entries_others x : map (fun e => (cells (fst e), other (fst e), snd e)) a = map (fun x => (fst (fst x), snd (fst x), snd x)) rv ->
  Permutation (class_of x released) (map other (map fst (filter (fun e => labels_eqb (record_of e) x) a))).
Proof.
  intros A. assert (Permutation released (map (fun e => (record_of e, other (fst e))) a)) as P.
  { rewrite rv_made. apply (f_equal (map (fun y => (shown (snd y) (fst (fst y)), snd (fst y))))) in A. rewrite !map_map in A.
    cbn [fst snd] in A. rewrite <- A. reflexivity. }
  unfold class_of. rewrite (Permutation_map snd (permutation_filter _ _ _ _ P)), filter_map, !map_map. cbn [fst snd].
  rewrite (filter_ext _ (fun e => labels_eqb (record_of e) x)); [reflexivity|]. intros e. destruct (list_eq_dec Z.eq_dec (record_of e) x) as [E|E].
  - rewrite E. symmetry. apply labels_eqb_refl.
  - destruct (labels_eqb _ _) eqn:L; auto. apply labels_eqb_eq in L. contradiction.
Qed.
End Entries.

Lemma entries_of p original released total types : is_release p original released total ->
  Permutation (map fst original) (map cells (expand types)) ->
  exists a : list entry, Permutation (map fst a) (expand types) /\ total = total_cost a /\
    (forall i v, In (i, v) a -> In v (mask p) /\ fits v (cells i)) /\
    (forall e, In e a -> outlier p (record_of e) \/ k p <= number_of (fun e' => labels_eqb (record_of e') (record_of e)) a).
Proof.
  intros [rv [H1 [H2 [H3 [H4 [_ H5]]]]]] HT. apply (Permutation_map (fun c => (c, 0))) in HT. rewrite !map_map in HT.
  destruct (assigned_to (fun _ => 0) (fun _ => 0) original types rv H1 HT) as [a [A1 A2]].
  apply (f_equal (map (fun x => (fst (fst x), snd x)))) in A2. rewrite !map_map in A2. cbn [fst snd] in A2.
  exists a. split; [exact A1|]. split; [rewrite H5; apply (entries_cost rv a A2)|]. split; [apply (entries_fit p rv a A2 H3)|].
  apply (entries_crowded p rv released H2 a A2 H4).
Qed.
(** The same where types are told apart by all columns: every class meets what is required. *)
Lemma entries_required p original released total types : is_release p original released total ->
  Permutation original (map (fun i => (cells i, other i)) (expand types)) ->
  exists a : list entry, Permutation (map fst a) (expand types) /\ total = total_cost a /\
    (forall i v, In (i, v) a -> In v (mask p) /\ fits v (cells i)) /\
    (forall e, In e a -> outlier p (record_of e) \/ k p <= number_of (fun e' => labels_eqb (record_of e') (record_of e)) a) /\
    (forall e q, In e a -> In q (required p) ->
      meets (map snd original) (map other (map fst (filter (fun e' => labels_eqb (record_of e') (record_of e)) a))) q).
Proof.
  intros [rv [H1 [H2 [H3 [H4 [H6 H5]]]]]] HT.
  assert (map (fun r : row => (fst r, snd r)) original = original) as I by (rewrite <- map_id; apply map_ext; intros []; reflexivity).
  rewrite <- I in HT. destruct (assigned_to snd other original types rv H1 HT) as [a [A1 A2]].
  pose proof (f_equal (map (fun x => (fst (fst x), snd x))) A2) as A. rewrite !map_map in A. cbn [fst snd] in A.
  exists a. split; [exact A1|]. split; [rewrite H5; apply (entries_cost rv a A)|]. split; [apply (entries_fit p rv a A H3)|].
  split; [apply (entries_crowded p rv released H2 a A H4)|]. intros e q He Hq.
  apply (meets_permutation _ _ _ _ (entries_others rv released H2 a (record_of e) A2)). apply H6; auto.
  apply (Permutation_in _ (Permutation_sym (entries_shown rv released H2 a A))). apply in_map. exact He.
Qed.
