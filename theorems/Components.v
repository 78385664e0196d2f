(** [K1, K2, K3] Components: row types that no instance links but the hub and the free one are bounded apart, and each bound is
    rounded up to what costs can be [P3]. Without components all row types are one. *)
From Coq Require Import ZArith List Bool Lia Permutation PArith.
From Incrowd Require Import Statement Sums Model Reading Walk Dominance Prices.
Import ListNotations.
Open Scope Z_scope.

Definition part_key (i : type) : positive := Z.to_pos (part i + 1).
Definition one_part (g : list type) : bool :=
  match g with [] => true | i :: g' => forallb (fun j => Pos.eqb (part_key i) (part_key j)) g' end.
Definition few (n : Z) (ts : list type) : bool := rows_of ts <? n.

(** [T5, P3] What divides every cost; a bound in parts of a scaled unit, rounded up to a multiple of it. *)
Definition gcd_cell (c : cell) (n : Z) : Z := fold_right (fun x n => Z.gcd (snd x) n) n c.
Definition gcd_cells (cs : list cell) (n : Z) : Z := fold_right gcd_cell n cs.
Definition step_of (types : list type) : Z := Z.max 1 (fold_right (fun i n => gcd_cells (cells i) n) 0 types).
Definition rounded_up (value parts step : Z) : Z := - (- value / (parts * step)) * step.

Section Recount.
Variable p : policy.
Variable m : nat.
Variable vectors : list vector.
Variable parts : Z.                 (* prices are in 1 / parts of a scaled unit *)
Variable hub : option vector.
Variable skips : vector -> list type -> bool.
Variable aside : vector -> list type -> bool.  (* instances whose rows are counted elsewhere *)
Variable asks : type -> Z.                     (* the price of a row of a type *)

Definition is_hub (v : vector) : bool := match hub with Some h => vector_eqb v h | None => false end.
Definition dear (q : Z) (ts : list type) : bool := forallb (fun i => asks i <=? q) ts.
Definition stop (dark : bool) (z : Z) (ts : list type) : bool :=
  if dear (parts * z) ts then true else if dark then false else few (k p) ts.
Definition stop_few (dark : bool) (_ : Z) (ts : list type) : bool := if dark then false else few (k p) ts.

(** [P2] What an instance adds at the prices; where it needs no rows, its terms below 0. *)
Definition adds (unneeding : bool) (g : instance) : Z :=
  let q := parts * paid g in let ts := terms (fun i => q - asks i) (members g) in
  if blank g || unneeding then negative ts
  else if few (k p) (members g) then 0
  else if existsb (fun x => fst x <? 0) ts
       then let w := least (k p) ts in if w <? 0 then if aside (at_vector g) (members g) || skips (at_vector g) (members g) then 0 else w else 0
       else 0.
(** [P1, K3] The bound of some row types, in parts. *)
Definition value (ts : list type) : Z :=
  sum (fun i => Z.max 0 (count i) * asks i) ts
  + sum (adds false) (walk stop m (filter (fun v => negb (is_hub v)) vectors) (suppress p) 0 [] (decorated ts))
  + sum (adds true) (walk never m (filter is_hub vectors) (suppress p) 0 [] (decorated ts)).
(** [K1] Every instance that matters and needs rows has types of one component. *)
Definition apart (types : list type) : bool :=
  one_part types ||
  forallb (fun g => blank g || one_part (members g) || skips (at_vector g) (members g))
    (walk stop_few m (filter (fun v => negb (is_hub v)) vectors) (suppress p) 0 [] (decorated types)).
(** Of every part [worth] is a bound. *)
Definition all_parts (worth : list type -> Z) (step : Z) (types : list type) : Z :=
  total (fun ts => match ts with [] => 0 | _ => rounded_up (worth ts) parts step end) (part_by part_key types).
End Recount.

Lemma rows_of_filter b ts : rows_of (filter b ts) <= rows_of ts.
Proof. unfold rows_of. rewrite sum_filter. apply sum_le. intros i _. destruct (b i); lia. Qed.
Lemma rows_of_sub (c : list cell * type -> bool) (g : some) : rows_of (map snd (map popped (filter c g))) <= rows_of (map snd g).
Proof.
  unfold rows_of. rewrite map_map, !sum_map, sum_filter. apply sum_le. intros x _. cbn [popped snd]. destruct (c x); lia.
Qed.
Lemma stop_few_stays p dark b z z' c (g : some) : stop_few p dark z (map snd g) = true -> 0 <= z' ->
  stop_few p (dark && b) (z + z') (map snd (map popped (filter c g))) = true.
Proof.
  unfold stop_few. destruct dark; [discriminate|]. simpl. unfold few. rewrite !Z.ltb_lt. pose proof (rows_of_sub c g). lia.
Qed.
Lemma stop_stays p parts asks dark b z z' c (g : some) : 0 < parts -> stop p parts asks dark z (map snd g) = true -> 0 <= z' ->
  stop p parts asks (dark && b) (z + z') (map snd (map popped (filter c g))) = true.
Proof.
  intros HQ. unfold stop. destruct (dear asks (parts * z) (map snd g)) eqn:D.
  - intros _ Hz. assert (dear asks (parts * (z + z')) (map snd (map popped (filter c g))) = true) as ->; [|reflexivity].
    unfold dear in *. rewrite forallb_forall in *. intros i Hi. rewrite map_map in Hi. apply in_map_iff in Hi.
    destruct Hi as [x [<- Hx]]. apply filter_In in Hx. specialize (D (snd x) (in_map _ _ _ (proj1 Hx))).
    apply Z.leb_le in D. apply Z.leb_le. cbn [popped snd]. nia.
  - destruct dark; [discriminate|]. intros H Hz. pose proof (stop_few_stays p false b z z' c g H Hz) as S.
    unfold stop_few in S. cbn [andb] in *. rewrite S. match goal with |- (if ?x then _ else _) = _ => destruct x end; reflexivity.
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

Section Part.
Variable inc : type -> bool.
Hypothesis inc_apart : forall e, In e a -> free p (shows (snd e) (fst e)) = false -> is_hub hub (snd e) = false ->
  forall i j, In i (group types (snd e) (shows (snd e) (fst e))) -> In j (group types (snd e) (shows (snd e) (fst e))) -> inc i = inc j.
Let own := own_types types inc.
Let class' := class a inc.

Lemma K1_class w s e : In e (class' w s) -> free p s = false -> is_hub hub w = false ->
  skips w (group own w s) = false /\ k p <= sum (fun _ => 1) (map fst (class' w s)).
Proof.
  intros He Hf Hh. unfold class', class, own_rows in He. rewrite filter_filter in He. apply filter_In in He.
  destruct He as [He HI]. apply andb_prop in HI. destruct HI as [Hi HI]. apply inside_true in HI. destruct HI as [<- <-].
  set (s := shows (snd e) (fst e)) in *.
  assert (In (fst e) (group types (snd e) s)) as Ge.
  { apply filter_In. split; [apply (a_types types a a_rows); exact He|]. apply labels_eqb_refl. }
  assert (forall i, In i (group types (snd e) s) -> inc i = true) as All.
  { intros i Hg. rewrite (inc_apart e He Hf Hh i (fst e) Hg Ge). exact Hi. }
  split.
  - assert (group own (snd e) s = group types (snd e) s) as ->; [|apply a_settled; auto].
    unfold group, own, own_types. rewrite filter_filter. apply filter_ext_in. intros i Ht.
    destruct (alike (snd e) s i) eqn:A; [|apply andb_false_r]. rewrite (All i); auto. apply filter_In. auto.
  - destruct e as [i v]. cbn [fst snd] in *. destruct (a_valid i v He) as [_ Hn]. fold s in Hn. unfold need in Hn. rewrite Hf in Hn.
    eapply Z.le_trans; [exact Hn|]. unfold number_of, class', class, own_rows. rewrite sum_map, filter_filter, sum_filter.
    apply sum_le. intros x Hx. destruct (inside v s x) eqn:Ix; [|destruct (inc (fst x)); simpl; lia].
    assert (inc (fst x) = true) as ->; [|simpl; lia].
    apply All. apply filter_In. split; [apply (a_types types a a_rows); exact Hx|]. unfold inside in Ix.
    apply andb_prop in Ix. tauto.
Qed.

Variable asks : type -> Z.
Variable aside : vector -> list type -> bool.
Definition gap (e : entry) : Z := parts * pays (snd e) (fst e) - asks (fst e).
(** Rows that are counted elsewhere. *)
Definition elsewhere (e : entry) : bool := aside (snd e) (group own (snd e) (shows (snd e) (fst e))).
Lemma P2_class w s z : (forall i, In i (group own w s) -> pays w i = z) -> group own w s <> [] ->
  adds p parts skips aside asks (is_hub hub w) (Instance z (free p s) w (group own w s))
  <= sum (fun e => if elsewhere e then 0 else gap e) (class' w s).
Proof.
  intros Hz Hn. unfold adds. cbn [paid blank at_vector members].
  pose proof (class_chosen types a a_rows inc w s) as HC. fold own in HC. fold class' in HC.
  set (term := fun i => parts * z - asks i). set (ts := terms term (group own w s)).
  assert (sum (fun e => if elsewhere e then 0 else gap e) (class' w s)
          = if aside w (group own w s) then 0 else sum gap (class' w s)) as ->.
  { assert (forall e, In e (class' w s) -> elsewhere e = aside w (group own w s)) as I.
    { intros e He. unfold class', class in He. apply filter_In in He. destruct He as [_ HI]. apply inside_true in HI.
      destruct HI as [HI1 HI2]. unfold elsewhere. rewrite HI1, HI2. reflexivity. }
    destruct (aside w (group own w s)); [apply sum_zero|apply sum_eq]; intros e He; rewrite (I e He); reflexivity. }
  destruct (aside w (group own w s)) eqn:As.
  { pose proof (negative_nonpos term (group own w s)) as N. fold ts in N.
    destruct (_ || _); [lia|]. destruct (few _ _); [lia|]. destruct (existsb _ _); [|lia].
    cbv zeta. destruct (_ <? 0); [|lia]. cbn [orb]. lia. }
  assert (sum gap (class' w s) = sum term (map fst (class' w s))) as E.
  { rewrite sum_map. apply sum_eq. intros e He. unfold gap, term. unfold class', class in He. apply filter_In in He.
    destruct He as [He HI]. apply inside_true in HI. destruct HI as [HI1 HI2]. rewrite HI1, Hz; auto.
    apply filter_In. split; [|unfold alike; rewrite HI2; apply labels_eqb_refl].
    unfold own_rows in He. apply filter_In in He. destruct He as [He Hi].
    apply filter_In. split; auto. apply (a_types types a a_rows). exact He. }
  rewrite E. clear E. destruct (free p s || is_hub hub w) eqn:F.
  - apply P2_negative. exact HC.
  - apply orb_false_iff in F. destruct F as [F1 F2].
    assert (class' w s = [] \/ exists e, In e (class' w s)) as [C|[e C]] by (destruct (class' w s); [auto|right; eexists; left; eauto]).
    + rewrite C. cbn [map sum]. destruct (few (k p) (group own w s)); [lia|]. destruct (existsb _ _); [|lia].
      cbv zeta. destruct (Z.ltb_spec (least (k p) ts) 0); [|lia]. cbn [orb]. destruct (skips _ _); lia.
    + destruct (K1_class w s e C F1 F2) as [S N].
      pose proof (P2_least term _ _ (k p) HC N) as L. fold ts in L. pose proof (P2_least term _ _ 0 HC) as L0.
      assert (0 <= sum (fun _ : type => 1) (map fst (class' w s))) as N0 by (apply sum_nonneg; intros; lia).
      destruct (few (k p) (group own w s)) eqn:Fw.
      { exfalso. unfold few in Fw. apply Z.ltb_lt in Fw. specialize (HC (fun _ => 1)). cbn beta in HC.
        assert (sum (fun i => Z.max 0 (count i) * 1) (group own w s) = rows_of (group own w s)) as R
          by (apply sum_eq; intros; lia). rewrite R in HC. assert (forall i : type, 0 <= 1) as O by lia. specialize (HC O). lia. }
      destruct (existsb (fun x => fst x <? 0) ts) eqn:X.
      * cbv zeta. cbn [orb]. rewrite S. destruct (Z.ltb_spec (least (k p) ts) 0); lia.
      * pose proof (P2_negative term _ _ HC) as L1. fold ts in L1. enough (negative ts = 0) by lia.
        apply sum_zero. intros [d c] Hd. cbn [fst snd].
        destruct (Z.ltb_spec d 0); [|rewrite Z.min_l by lia; lia]. exfalso.
        assert (existsb (fun x => fst x <? 0) ts = true) by (apply existsb_exists; exists (d, c); split; auto; apply Z.ltb_lt; auto).
        congruence.
Qed.

(** [P1], and [K3] where the types are a component. *)
Theorem P1_value : value p m vectors parts hub skips aside asks own + sum gap (filter elsewhere (own_rows a inc))
  <= parts * total_cost (own_rows a inc).
Proof.
  unfold value. set (R := own_rows a inc).
  assert (sum (fun i => Z.max 0 (count i) * asks i) own = sum (fun e => asks (fst e)) R) as ->.
  { symmetry. apply (own_sum types a a_rows inc asks). }
  assert (decorated own = decorated (own_types types inc)) as D by reflexivity.
  assert (sane m (decorated own)) as Sg by (apply (decorated_sane types m types_tidy); apply own_incl).
  assert (forall (h : bool) (b : vector -> bool), (forall v, b v = true -> is_hub hub v = h) ->
    sum (adds p parts skips aside asks h) (walk never m (filter b vectors) (suppress p) 0 [] (decorated own))
    <= sum (fun e => if elsewhere e then 0 else gap e) (filter (fun e => existsb (vector_eqb (snd e)) (filter b vectors)) R)) as W.
  { intros h b Hb. rewrite D. apply (walk_classes p types m vectors types_tidy vectors_long a a_rows inc).
    - intros v Hv. apply filter_In in Hv. tauto.
    - intros w s z Hw Hz Hn. apply filter_In in Hw. rewrite <- (Hb w) by tauto. apply P2_class; auto. }
  pose proof (W false (fun v => negb (is_hub hub v)) (fun v H => proj1 (negb_true_iff _) H)) as W1.
  pose proof (W true (is_hub hub) (fun v H => H)) as W2. clear W.
  rewrite (stop_same (stop p parts asks)); auto.
  - assert (sum gap R = parts * total_cost R - sum (fun e => asks (fst e)) R) as G.
    { unfold gap, total_cost. rewrite <- sum_mul. clear. induction R; simpl; lia. }
    set (d := fun e => if elsewhere e then 0 else gap e) in *.
    enough (sum d (filter (fun e => existsb (vector_eqb (snd e)) (filter (fun v => negb (is_hub hub v)) vectors)) R)
            + sum d (filter (fun e => existsb (vector_eqb (snd e)) (filter (is_hub hub) vectors)) R)
            + sum gap (filter elsewhere R) = sum gap R) by lia.
    rewrite !sum_filter, <- !sum_add. apply sum_eq. intros [i v] He. cbn [snd].
    unfold R, own_rows in He. apply filter_In in He. destruct He as [He _]. destruct (a_valid i v He) as [Hv _].
    assert (forall b : vector -> bool, existsb (vector_eqb v) (filter b vectors) = b v) as X.
    { intros b. destruct (b v) eqn:B.
      - apply existsb_exists. exists v. split; [apply filter_In; auto|apply vector_eqb_refl].
      - destruct (existsb _ _) eqn:K; auto. apply existsb_exists in K. destruct K as [u [Hu E]]. apply vector_eqb_eq in E. subst u.
        apply filter_In in Hu. destruct Hu. congruence. }
    rewrite !X. unfold d. destruct (is_hub hub v), (elsewhere (i, v)); simpl; lia.
  - intros dark b z z' c g. apply stop_stays. exact parts_positive.
  - intros dark z v ts H. unfold stop in H. unfold adds. cbn [paid blank members at_vector]. rewrite orb_false_r.
    destruct (dear asks (parts * z) ts) eqn:E.
    + unfold dear in E. rewrite forallb_forall in E.
      assert (negative (terms (fun i => parts * z - asks i) ts) = 0) as ->.
      { apply sum_zero. intros x Hx. apply in_map_iff in Hx. destruct Hx as [i [<- Hi]]. cbn [fst snd].
        specialize (E i Hi). apply Z.leb_le in E. rewrite Z.min_l by lia. lia. }
      destruct dark; auto. destruct (few _ _); auto. destruct (existsb _ _) eqn:X; auto. exfalso.
      apply existsb_exists in X. destruct X as [x [Hx L]]. apply in_map_iff in Hx. destruct Hx as [i [<- Hi]].
      specialize (E i Hi). apply Z.leb_le in E. apply Z.ltb_lt in L. cbn in L. lia.
    + destruct dark; [discriminate|]. rewrite H. reflexivity.
Qed.
End Part.

Lemma one_part_true g i j : one_part g = true -> In i g -> In j g -> part_key i = part_key j.
Proof.
  destruct g as [|x g]; [intros _ []|]. unfold one_part. rewrite forallb_forall. intros H.
  assert (forall y, In y (x :: g) -> part_key x = part_key y) as S.
  { intros y [<-|Hy]; auto. apply Pos.eqb_eq, H, Hy. }
  intros Hi Hj. rewrite <- (S i Hi), <- (S j Hj). reflexivity.
Qed.
Lemma K1_apart : apart p m vectors hub skips types = true ->
  forall e, In e a -> free p (shows (snd e) (fst e)) = false -> is_hub hub (snd e) = false ->
  forall i j, In i (group types (snd e) (shows (snd e) (fst e))) -> In j (group types (snd e) (shows (snd e) (fst e))) ->
  part_key i = part_key j.
Proof.
  unfold apart. intros H e He Hf Hh i j Hi Hj. apply orb_prop in H. destruct H as [H|H].
  { apply (one_part_true types); auto; [apply filter_In in Hi|apply filter_In in Hj]; tauto. }
  set (s := shows (snd e) (fst e)) in *.
  rewrite forallb_forall in H. destruct e as [x v]. cbn [fst snd] in *. destruct (a_valid x v He) as [Hv Hn].
  assert (In x types) as Hx by (apply (a_types types a a_rows (x, v) He)).
  assert (map snd (filter (fun c => labels_eqb (shown v (fst c)) s) (decorated types)) = group types v s) as G.
  { unfold decorated. rewrite filter_map, map_map. cbn [fst snd]. rewrite map_id. reflexivity. }
  pose proof (walk_meets (stop_few p) (fun d b z z' c g => stop_few_stays p d b z z' c g) m
    (filter (fun v => negb (is_hub hub v)) vectors) (suppress p) 0 [] (decorated types) (cells x, x) v) as M.
  cbv zeta in M. cbn [fst rev app] in M. change (shown v (cells x)) with s in M. rewrite G in M.
  assert (suppress p && stars s = false) as F by exact Hf. rewrite F in M.
  specialize (H (Instance (0 + cost v (cells x)) false v (group types v s))). cbn [blank members at_vector orb] in H.
  assert (one_part (group types v s) || skips v (group types v s) = true) as K.
  { apply H. apply M.
    - apply (decorated_sane types m types_tidy). intros y; auto.
    - apply (decorated_steady types m types_tidy). intros y; auto.
    - intros u Hu. apply filter_In in Hu. apply vectors_long. tauto.
    - apply in_map_iff. exists x. auto.
    - apply filter_In. split; auto. rewrite Hh. reflexivity.
    - unfold stop_few, few. apply Z.ltb_ge. unfold need in Hn. fold s in Hn. rewrite Hf in Hn. eapply Z.le_trans; [exact Hn|].
      pose proof (class_chosen types a a_rows (fun _ => true) v s (fun _ => 1)) as C. cbn beta in C.
      assert (own_types types (fun _ => true) = types) as T by (apply all_true; reflexivity). rewrite T in C.
      unfold rows_of. rewrite (sum_eq _ (fun i => Z.max 0 (count i)) (fun i => Z.max 0 (count i) * 1)) by (intros; lia).
      eapply Z.le_trans; [|apply C; lia]. rewrite sum_map. unfold class, own_rows.
      rewrite (all_true _ (fun e : entry => true)) by reflexivity. rewrite sum_filter. apply Z.le_refl. }
  pose proof (a_settled (x, v) He Hf) as SK. cbn [fst snd] in SK. fold s in SK. rewrite SK, orb_false_r in K. apply (one_part_true (group types v s)); auto.
Qed.

Lemma P3_rounded v n step : 0 < step -> (step | n) -> v <= parts * n -> rounded_up v parts step <= n.
Proof.
  intros Hs [x ->] Hv. unfold rounded_up. assert (- v / (parts * step) >= - x); [|nia].
  apply Z.le_ge, Z.div_le_lower_bound; nia.
Qed.
Lemma gcd_cell_divides c n : (gcd_cell c n | n) /\ forall x, In x c -> (gcd_cell c n | snd x).
Proof.
  induction c as [|y c [I1 I2]]; simpl; [split; [apply Z.divide_refl|tauto]|]. split.
  - eapply Z.divide_trans; [apply Z.gcd_divide_r|exact I1].
  - intros x [<-|H]; [apply Z.gcd_divide_l|]. eapply Z.divide_trans; [apply Z.gcd_divide_r|auto].
Qed.
Lemma gcd_cells_divides cs n : (gcd_cells cs n | n) /\ forall c x, In c cs -> In x c -> (gcd_cells cs n | snd x).
Proof.
  induction cs as [|c cs [I1 I2]]; simpl; [split; [apply Z.divide_refl|tauto]|].
  destruct (gcd_cell_divides c (gcd_cells cs n)) as [J1 J2]. split.
  - eapply Z.divide_trans; [exact J1|exact I1].
  - intros c1 x [<-|H] H'; [auto|]. eapply Z.divide_trans; [exact J1|eauto].
Qed.
Lemma T5_step c x i : In i types -> In c (cells i) -> In x c -> (step_of types | snd x).
Proof.
  intros Hi Hc Hx. unfold step_of.
  assert (forall ts, In i ts -> (fold_right (fun i n => gcd_cells (cells i) n) 0 ts | snd x)) as F.
  { induction ts as [|j ts IH]; [intros []|]. simpl. destruct (gcd_cells_divides (cells j)
      (fold_right (fun i n => gcd_cells (cells i) n) 0 ts)) as [J1 J2].
    intros [<-|H]; [eauto|]. eapply Z.divide_trans; [exact J1|auto]. }
  specialize (F types Hi). set (f := fold_right _ 0 types) in *.
  destruct (Z.max_spec 1 f) as [[L ->]|[L ->]]; [exact F|apply Z.divide_1_l].
Qed.
Lemma T5_divides i v : In i types -> (step_of types | pays v i).
Proof.
  intros Hi. unfold pays, cost. rewrite sum_fold.
  assert (forall l : list (nat * cell), (forall lc, In lc l -> In (snd lc) (cells i)) ->
    (step_of types | sum (fun '(l, c) => snd (at_level l c)) l)) as S.
  { induction l as [|[x c] l IH]; intros H; simpl; [apply Z.divide_0_r|]. apply Z.divide_add_r.
    - unfold at_level. destruct (nth_in_or_default x c (star, 0)) as [N|N].
      + apply (T5_step c _ i); auto. apply (H (x, c)). left. reflexivity.
      + rewrite N. apply Z.divide_0_r.
    - apply IH. intros lc Hl. apply H. right. exact Hl. }
  apply S. intros [x c] H. apply in_combine_r in H. exact H.
Qed.

(** [K1, K3] The bounds of all components, each rounded up. *)
Theorem K3_all_parts worth : apart p m vectors hub skips types = true ->
  (forall inc, (forall e, In e a -> free p (shows (snd e) (fst e)) = false -> is_hub hub (snd e) = false ->
      forall i j, In i (group types (snd e) (shows (snd e) (fst e))) -> In j (group types (snd e) (shows (snd e) (fst e))) -> inc i = inc j) ->
    worth (own_types types inc) <= parts * total_cost (own_rows a inc)) ->
  all_parts parts worth (step_of types) types <= total_cost a.
Proof.
  intros HA HW. unfold all_parts, total_cost.
  apply (parts_le _ _ _ _ part_key (fun e => part_key (fst e))); [reflexivity|]. intros q.
  set (inc := fun i => Pos.eqb q (part_key i)). set (own := filter inc types).
  assert (own = [] -> filter (fun e : entry => Pos.eqb q (part_key (fst e))) a = []) as N.
  { intros E. apply all_false. intros e He. apply (filter_nil _ inc types); auto. apply (a_types types a a_rows). exact He. }
  destruct own as [|i0 own'] eqn:Eo.
  { match goal with |- _ <= sum ?f ?l => assert (l = []) as -> by exact (N eq_refl) end. simpl. lia. }
  rewrite <- Eo. clear N.
  assert (0 < step_of types) as Sp by (unfold step_of; lia).
  apply P3_rounded; auto.
  - assert (forall l, incl l a -> (step_of types | sum (fun e => pays (snd e) (fst e)) l)) as S.
    { induction l as [|e l IH]; intros I; simpl; [apply Z.divide_0_r|]. apply Z.divide_add_r.
      - apply T5_divides, (a_types types a a_rows), I. left. reflexivity.
      - apply IH. intros x Hx. apply I. right. exact Hx. }
    apply S. intros e He. apply filter_In in He. tauto.
  - apply (HW inc). intros e He Hf Hh i j Hi Hj. unfold inc. rewrite (K1_apart HA e He Hf Hh i j Hi Hj). reflexivity.
Qed.
End Sound.
