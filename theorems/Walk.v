(** [I1, I2] The instances of a table: a walk over the allowed vectors, column by column. The row types are parted by what they
    show at a level of the first column, every part by what it shows at a level of the second, and so on. [stop] may break the
    walk off where nothing below can add anything. *)
From Coq Require Import ZArith List Bool Lia Permutation PArith.
From Incrowd Require Import Statement Sums Model Reading.
Import ListNotations.
Open Scope Z_scope.

(** An instance: what a row of it costs, whether it shows stars alone, its vector, its row types in the table's order. *)
Record instance := Instance { paid : Z; blank : bool; at_vector : vector; members : list type }.
Definition some : Type := list (list cell * type).    (* row types with the cells that are still to be read *)
Definition level_key (v : vector) : positive := Pos.of_succ_nat (hd O v).
Definition label_key (l : nat) (x : list cell * type) : positive := key (fst (at_level l (hd [] (fst x)))).
Definition popped (x : list cell * type) : list cell * type := (tl (fst x), snd x).

Section Walk.
Variable stop : bool -> Z -> list type -> bool.
Fixpoint walk (m : nat) (mk : list vector) (dark : bool) (sofar : Z) (path : vector) (g : some) : list instance :=
  if stop dark sofar (map snd g) then [] else
  match m with
  | O => match mk, g with [], _ | _, [] => [] | _, _ => [Instance sofar dark (rev path) (map snd g)] end
  | S m' =>
      gather (fun vs : list vector =>
        let l := hd O (hd [] vs) in let below := map (@tl nat) vs in
        gather (fun g' : some =>
            let x := at_level l (hd [] (fst (hd ([], Type_ [] 0 0 0 0 0) g'))) in
            walk m' below (dark && (fst x =? star)) (sofar + snd x) (l :: path) (map popped g'))
          (part_by (label_key l) g) [])
        (part_by level_key mk) []
  end.
End Walk.

Definition never (_ : bool) (_ : Z) (_ : list type) : bool := false.

(** What holds of the row types that are walked over: labels not below 0, and equal labels of a level cost the same. *)
Definition sane (m : nat) (g : some) : Prop := forall x, In x g -> length (fst x) = m /\
  forall l c, In c (fst x) -> 0 <= fst (at_level l c) /\ 0 <= snd (at_level l c).
Definition steady (g : some) : Prop := forall x y j l, In x g -> In y g ->
  fst (at_level l (nth j (fst x) [])) = fst (at_level l (nth j (fst y) [])) ->
  snd (at_level l (nth j (fst x) [])) = snd (at_level l (nth j (fst y) [])).

Lemma key_eq l l' : 0 <= l -> 0 <= l' -> key l = key l' -> l = l'.
Proof. unfold key. intros. apply (f_equal Zpos) in H1. rewrite !Z2Pos.id in H1 by lia. lia. Qed.
Lemma level_key_eq v u : level_key v = level_key u -> hd O v = hd O u.
Proof. unfold level_key. intros H. apply SuccNat2Pos.inj in H. exact H. Qed.

(** A row in an assignment, with the cells and the levels that are still to be read, and what it is. *)
Section Rest.
Context {X : Type}.
Definition rest : Type := (list cell * type) * vector * X.
Definition row_of (e : rest) : list cell * type := fst (fst e).
Definition levels_of (e : rest) : vector := snd (fst e).
Definition popped_rest (e : rest) : rest := (popped (row_of e), tl (levels_of e), snd e).
Definition in_class (w : vector) (s : list label) (e : rest) : bool :=
  vector_eqb (levels_of e) w && labels_eqb (shown w (fst (row_of e))) s.

(** The parts of the walk's next step: row types and rows of level l and label key q. *)
Lemma class_step m g l q (E : list rest) w s c0 :
  sane (S m) g -> In c0 g -> label_key l c0 = q -> (forall e, In e E -> In (row_of e) g /\ length (levels_of e) = S m) ->
  let x := at_level l (hd [] (fst c0)) in
  filter (fun c => labels_eqb (shown w (fst c)) s) (map popped (filter (fun c => Pos.eqb q (label_key l c)) g))
    = map popped (filter (fun c => labels_eqb (shown (l :: w) (fst c)) (fst x :: s)) g) /\
  filter (in_class w s) (map popped_rest (filter (fun e => Pos.eqb q (label_key l (row_of e)))
      (filter (fun e => Pos.eqb (level_key (l :: w)) (level_key (levels_of e))) E)))
    = map popped_rest (filter (in_class (l :: w) (fst x :: s)) E).
Proof.
  intros Sg H0 Hq HE x.
  assert (forall c, In c g -> Pos.eqb q (label_key l c) && labels_eqb (shown w (fst (popped c))) s
                              = labels_eqb (shown (l :: w) (fst c)) (fst x :: s)) as C.
  { intros c Hc. destruct (Sg c Hc) as [Lc Nc]. destruct c as [[|b r] i]; [discriminate|]. cbn [fst popped tl].
    rewrite shown_cons. cbn [labels_eqb]. f_equal. unfold label_key in *. cbn [fst hd] in *.
    destruct (Z.eqb_spec (fst (at_level l b)) (fst x)) as [E1|E1].
    - apply Pos.eqb_eq. rewrite E1, <- Hq. reflexivity.
    - apply Pos.eqb_neq. intros K. apply E1. destruct (Sg c0 H0) as [L0 N0]. destruct (fst c0) as [|b0 r0] eqn:F; [discriminate|].
      apply key_eq; [apply Nc; left; auto|apply N0; left; auto|]. unfold x. cbn [hd] in *. rewrite <- K, <- Hq. reflexivity. }
  split.
  - rewrite filter_map, filter_filter. f_equal. apply filter_ext_in. exact C.
  - rewrite filter_map, !filter_filter. f_equal. apply filter_ext_in. intros e He. destruct (HE e He) as [Hg Hl].
    specialize (C (row_of e) Hg). unfold in_class. rewrite <- C.
    destruct e as [[c [|l' w']] o]; [discriminate|]. unfold popped_rest, row_of, levels_of. cbn [fst snd tl].
    assert (Pos.eqb (level_key (l :: w)) (level_key (l' :: w')) = Nat.eqb l' l) as ->.
    { destruct (Nat.eqb_spec l' l) as [->|N]; [apply Pos.eqb_refl|]. apply Pos.eqb_neq. intros K. apply level_key_eq in K.
      cbn in K. congruence. }
    cbn [vector_eqb]. destruct (Nat.eqb l' l), (Pos.eqb q (label_key l c)), (vector_eqb w' w); auto.
Qed.

Lemma sane_popped m g b : sane (S m) g -> sane m (map popped (filter b g)).
Proof.
  intros H x Hx. apply in_map_iff in Hx. destruct Hx as [y [<- Hy]]. apply filter_In in Hy. destruct Hy as [Hy _].
  destruct (H y Hy) as [L N]. destruct y as [[|c r] i]; [discriminate|]. cbn in *. split; [lia|].
  intros l c' Hc. apply N. right. exact Hc.
Qed.
Lemma steady_popped g b : steady g -> steady (map popped (filter b g)).
Proof.
  intros H x y j l Hx Hy. apply in_map_iff in Hx, Hy. destruct Hx as [x' [<- Hx]]. destruct Hy as [y' [<- Hy]].
  apply filter_In in Hx, Hy. specialize (H x' y' (S j) l (proj1 Hx) (proj1 Hy)).
  destruct x' as [[|c r] i], y' as [[|c' r'] i']; cbn in *; destruct j; cbn in *; auto;
    try (destruct j; auto); try exact H.
Qed.

Lemma hd_filter A (b : A -> bool) d l : filter b l <> [] -> In (hd d (filter b l)) l /\ b (hd d (filter b l)) = true.
Proof.
  intros H. apply filter_In. destruct (filter b l); [congruence|]. left. reflexivity.
Qed.

Lemma not_empty A (b : A -> bool) l x : In x l -> b x = true -> filter b l <> [].
Proof. intros H B E. assert (In x (filter b l)) as I by (apply filter_In; auto). rewrite E in I. destruct I. Qed.
Lemma all_false A (b : A -> bool) l : (forall x, In x l -> b x = false) -> filter b l = [].
Proof. induction l as [|a l IH]; simpl; intros H; auto. rewrite (H a); auto. Qed.
Lemma all_true A (b : A -> bool) l : (forall x, In x l -> b x = true) -> filter b l = l.
Proof. induction l as [|a l IH]; simpl; intros H; auto. rewrite (H a); auto. rewrite IH; auto. Qed.
Lemma filter_nil A (b : A -> bool) l x : filter b l = [] -> In x l -> b x = false.
Proof. intros H I. destruct (b x) eqn:B; auto. destruct (not_empty _ b l x I B H). Qed.

(** Where no column is left: one instance. *)
Lemma walk_le_end (f : instance -> Z) (d : X -> Z) : forall mk dark sofar path g (E : list rest),
  sane 0 g -> (forall v, In v mk -> length v = O) ->
  (forall e, In e E -> In (row_of e) g /\ In (levels_of e) mk) ->
  (forall w s z, In w mk -> (forall c, In c g -> labels_eqb (shown w (fst c)) s = true -> cost w (fst c) = z) ->
    filter (fun c => labels_eqb (shown w (fst c)) s) g <> [] ->
    f (Instance (sofar + z) (dark && stars s) (rev path ++ w)
        (map snd (filter (fun c => labels_eqb (shown w (fst c)) s) g)))
    <= sum (fun e => d (snd e)) (filter (in_class w s) E)) ->
  sum f (walk never 0 mk dark sofar path g) <= sum (fun e => d (snd e)) E.
Proof.
  intros mk dark sofar path g E Sg Hmk HE Hf.
  simpl. destruct mk as [|w mk].
  { destruct E as [|e E]; [simpl; lia|]. destruct (HE e (or_introl eq_refl)) as [_ []]. }
  destruct g as [|c g].
  { destruct E as [|e E]; [simpl; lia|]. destruct (HE e (or_introl eq_refl)) as [[] _]. }
  assert (w = []) as -> by (apply length_zero_iff_nil; apply Hmk; left; auto).
  assert (forall l : some, filter (fun c => labels_eqb (shown [] (fst c)) []) l = l) as A.
  { intros l. apply all_true. reflexivity. }
  assert (filter (in_class [] []) E = E) as B.
  { apply all_true. intros e He. destruct (HE e He) as [_ Hm]. apply Hmk in Hm. unfold in_class. destruct (levels_of e); [reflexivity|discriminate]. }
  specialize (Hf [] [] 0 (or_introl eq_refl)). rewrite A, B, app_nil_r, Z.add_0_r, andb_true_r in Hf.
  simpl sum at 1. rewrite Z.add_0_r. apply Hf; [reflexivity|discriminate].
Qed.

(** If what [f] says of an instance is at most what the rows of its class come to under [d], so is the sum over the walk. *)
Theorem walk_le (f : instance -> Z) (d : X -> Z) : forall m mk dark sofar path g (E : list rest),
  sane m g -> steady g -> (forall v, In v mk -> length v = m) ->
  (forall e, In e E -> In (row_of e) g /\ In (levels_of e) mk) ->
  (forall w s z, In w mk -> (forall c, In c g -> labels_eqb (shown w (fst c)) s = true -> cost w (fst c) = z) ->
    filter (fun c => labels_eqb (shown w (fst c)) s) g <> [] ->
    f (Instance (sofar + z) (dark && stars s) (rev path ++ w)
        (map snd (filter (fun c => labels_eqb (shown w (fst c)) s) g)))
    <= sum (fun e => d (snd e)) (filter (in_class w s) E)) ->
  sum f (walk never m mk dark sofar path g) <= sum (fun e => d (snd e)) E.
Proof.
  induction m as [|m IH]; intros mk dark sofar path g E Sg St Hmk HE Hf.
  - apply walk_le_end; auto.
  - cbn [walk never]. rewrite sum_gather.
    apply (parts_le _ _ _ _ level_key (fun e => level_key (levels_of e))); [reflexivity|]. intros q.
    set (vs := filter (fun v => Pos.eqb q (level_key v)) mk). set (Eq := filter (fun e => Pos.eqb q (level_key (levels_of e))) E).
    destruct vs as [|v vs'] eqn:Evs.
    { simpl. replace Eq with (@nil rest); [simpl; lia|]. symmetry. apply all_false. intros e He. destruct (HE e He) as [_ H].
      apply (filter_nil _ _ _ _ Evs H). }
    cbn [on_part]. rewrite <- Evs. assert (vs <> []) as Nvs by congruence. clear Evs v vs'.
    destruct (hd_filter _ _ (@nil nat) mk Nvs) as [Hv Hq]. fold vs in Hv, Hq. set (v := hd [] vs) in *. set (l := hd O v).
    apply Pos.eqb_eq in Hq.
    rewrite sum_gather. apply (parts_le _ _ _ _ (label_key l) (fun e => label_key l (row_of e))); [reflexivity|]. intros q2.
    set (g2 := filter (fun c => Pos.eqb q2 (label_key l c)) g). set (E2 := filter (fun e => Pos.eqb q2 (label_key l (row_of e))) Eq).
    destruct g2 as [|c g2'] eqn:Eg.
    { simpl. replace E2 with (@nil rest); [simpl; lia|]. symmetry. apply all_false. intros e He. apply filter_In in He.
      destruct (HE e (proj1 He)) as [H _]. apply (filter_nil _ _ _ _ Eg H). }
    cbn [on_part]. rewrite <- Eg. assert (g2 <> []) as Ng by congruence. clear Eg c g2'.
    destruct (hd_filter _ _ ([], Type_ [] 0 0 0 0 0) g Ng) as [Hc Hq2]. fold g2 in Hc, Hq2. set (c := hd _ g2) in *.
    apply Pos.eqb_eq in Hq2. set (x := at_level l (hd [] (fst c))).
    assert (forall w, In w (map (@tl nat) vs) -> In (l :: w) mk /\ level_key (l :: w) = q) as Below.
    { intros w Hw. apply in_map_iff in Hw. destruct Hw as [u [<- Hu]]. apply filter_In in Hu. destruct Hu as [Hu Hk].
      apply Pos.eqb_eq in Hk. pose proof (Hmk u Hu) as Lu. destruct u as [|l' u]; [discriminate|].
      assert (l' = l) as -> by (apply (level_key_eq (l' :: u) v); rewrite <- Hk; exact Hq). split; [exact Hu|symmetry; exact Hk]. }
    eapply Z.le_trans; [apply (IH _ _ _ _ _ (map popped_rest E2))|rewrite sum_map; apply Z.le_refl].
    + apply sane_popped; exact Sg.
    + apply steady_popped; exact St.
    + intros w Hw. destruct (Below w Hw) as [H _]. apply Hmk in H. simpl in H. lia.
    + intros e He. apply in_map_iff in He. destruct He as [e0 [<- He]]. apply filter_In in He. destruct He as [He K2].
      apply filter_In in He. destruct He as [He K1]. destruct (HE e0 He) as [H1 H2]. split.
      * apply in_map_iff. exists (row_of e0). split; [reflexivity|apply filter_In; auto].
      * apply in_map_iff. exists (levels_of e0). split; [reflexivity|apply filter_In; auto].
    + intros w s z Hw Hz Hn. destruct (Below w Hw) as [Hlw Hlq].
      destruct (class_step m g l q2 E w s c Sg Hc (eq_sym Hq2)) as [C1 C2].
      { intros e He. destruct (HE e He) as [H1 H2]. split; auto. }
      fold x in C1, C2. rewrite Hlq in C2. fold Eq in C2. fold E2 in C2. fold g2 in C1. rewrite C1 in Hn |- *. rewrite C2.
      rewrite sum_map. rewrite map_map. cbn [popped snd].
      specialize (Hf (l :: w) (fst x :: s) (snd x + z) Hlw).
      fold g2. change (at_level l (hd [] (fst (hd ([], Type_ [] 0 0 0 0 0) g2)))) with x.
      replace (sofar + snd x + z) with (sofar + (snd x + z)) by lia.
      replace ((dark && (fst x =? star)) && stars s) with (dark && stars (fst x :: s)) by (simpl; apply andb_assoc).
      replace (rev (l :: path) ++ w) with (rev path ++ l :: w) by (simpl; rewrite <- app_assoc; reflexivity).
      apply Hf.
      * intros c' Hc' Hs. pose proof Hs as Hs'. destruct (Sg c' Hc') as [Lc _]. destruct c' as [[|b r] i]; [discriminate|].
        cbn [fst] in *. rewrite shown_cons in Hs. cbn [labels_eqb] in Hs. apply andb_prop in Hs. destruct Hs as [E1 E2'].
        apply Z.eqb_eq in E1. rewrite cost_cons. f_equal.
        -- specialize (St (b :: r, i) c O l Hc' Hc). cbn [fst nth] in St. unfold x in *. 
           assert (nth 0 (fst c) [] = hd [] (fst c)) as N by (destruct (fst c); reflexivity). rewrite N in St. auto.
        -- apply (Hz (popped (b :: r, i))).
           ++ apply in_map. apply filter_In. split; [exact Hc'|]. unfold label_key at 1. cbn [fst hd]. rewrite E1.
              apply Pos.eqb_eq. unfold label_key in Hq2. rewrite Hq2. reflexivity.
           ++ exact E2'.
      * intros K. rewrite K in Hn. apply Hn. reflexivity.
Qed.
End Rest.

(** [I2, P1] What [stop] leaves out adds nothing, if it stays with what it says on the way down. *)
Section Stop.
Variable stop : bool -> Z -> list type -> bool.
Hypothesis stays : forall dark b z z' c (g : some), stop dark z (map snd g) = true -> 0 <= z' ->
  stop (dark && b) (z + z') (map snd (map popped (filter c g))) = true.

Lemma total_eq A (f h : list A -> Z) t : (forall q, f (get q t) = h (get q t)) -> total f t = total h t.
Proof.
  induction t as [|l IHl v r IHr]; simpl; intros H; auto. rewrite IHl, IHr.
  - specialize (H xH). simpl in H. rewrite H. reflexivity.
  - intro q. apply (H (xI q)).
  - intro q. apply (H (xO q)).
Qed.
Lemma total_none A (f : list A -> Z) t : (forall q, f (get q t) = 0) -> total f t = 0.
Proof. intros H. rewrite (total_eq _ f (fun _ => 0) t H). clear. induction t; simpl; lia. Qed.

Lemma on_part_eq A (f h : list A -> Z) v : (v <> [] -> f v = h v) -> on_part f v = on_part h v.
Proof. destruct v; simpl; auto. intros H. apply H. discriminate. Qed.
Lemma on_part_none A (f : list A -> Z) v : (v <> [] -> f v = 0) -> on_part f v = 0.
Proof. destruct v; simpl; auto. intros H. apply H. discriminate. Qed.

(** The part of row types that a step goes on with: not empty, sane, and at a cost not below 0. *)
Lemma step_part m (g : some) l q : sane (S m) g -> get q (part_by (label_key l) g) <> [] ->
  let g' := get q (part_by (label_key l) g) in
  g' = filter (fun c => Pos.eqb q (label_key l c)) g /\ sane m (map popped g') /\
  0 <= snd (at_level l (hd [] (fst (hd ([], Type_ [] 0 0 0 0 0) g')))).
Proof.
  intros Sg Hn g'. unfold g' in *. clear g'. rewrite get_part in *. split; [reflexivity|]. split.
  - apply sane_popped. exact Sg.
  - destruct (hd_filter _ _ ([], Type_ [] 0 0 0 0 0) g Hn) as [Hc _]. destruct (Sg _ Hc) as [L N].
    set (c := hd _ _) in *. destruct (fst c) as [|x r] eqn:F; [discriminate|]. apply N. left. reflexivity.
Qed.

Lemma stopped_nothing (f : instance -> Z) :
  (forall dark z v ts, stop dark z ts = true -> f (Instance z dark v ts) = 0) ->
  forall m mk dark sofar path g, sane m g -> stop dark sofar (map snd g) = true ->
  sum f (walk never m mk dark sofar path g) = 0.
Proof.
  intros F. induction m as [|m IH]; intros mk dark sofar path g Sg H.
  - simpl. destruct mk, g; simpl; auto. rewrite F; auto.
  - cbn [walk never]. rewrite sum_gather. apply total_none. intros q. apply on_part_none. intros _.
    rewrite sum_gather. apply total_none. intros q'. apply on_part_none. intros N. set (l' := hd O _) in *.
    destruct (step_part m g l' q' Sg N) as [G [S1 C]].
    apply IH; [exact S1|]. rewrite G in C |- *. apply stays; auto.
Qed.
Theorem stop_same (f : instance -> Z) :
  (forall dark z v ts, stop dark z ts = true -> f (Instance z dark v ts) = 0) ->
  forall m mk dark sofar path g, sane m g ->
  sum f (walk stop m mk dark sofar path g) = sum f (walk never m mk dark sofar path g).
Proof.
  intros F. induction m as [|m IH]; intros mk dark sofar path g Sg.
  - simpl. destruct (stop dark sofar (map snd g)) eqn:H; auto. destruct mk, g; simpl; auto. rewrite F; auto.
  - destruct (stop dark sofar (map snd g)) eqn:H.
    + rewrite (stopped_nothing f F (S m) mk dark sofar path g Sg H). cbn [walk]. rewrite H. reflexivity.
    + cbn [walk never]. rewrite H. rewrite !sum_gather. apply total_eq. intros q. apply on_part_eq. intros _.
      rewrite !sum_gather. apply total_eq. intros q'. apply on_part_eq. intros N. set (l' := hd O _) in *.
      destruct (step_part m g l' q' Sg N) as [G [S1 C]]. apply IH. exact S1.
Qed.

(** Every instance that has rows is met, unless it was stopped at. *)
Theorem walk_meets : forall m mk dark sofar path g c w, sane m g -> steady g -> (forall v, In v mk -> length v = m) ->
  In c g -> In w mk ->
  let ts := map snd (filter (fun x => labels_eqb (shown w (fst x)) (shown w (fst c))) g) in
  let z := sofar + cost w (fst c) in let b := dark && stars (shown w (fst c)) in
  stop b z ts = false -> In (Instance z b (rev path ++ w) ts) (walk stop m mk dark sofar path g).
Proof.
  induction m as [|m IH]; intros mk dark sofar path g c w Sg St Hmk Hc Hw.
  - destruct (Sg c Hc) as [L _]. apply Hmk in Hw as Lw. apply length_zero_iff_nil in L, Lw. rewrite L. subst w.
    rewrite all_true by reflexivity. cbv zeta. change (cost [] []) with 0. change (stars (shown [] [])) with true.
    rewrite Z.add_0_r, andb_true_r, app_nil_r. intros H. cbn [walk]. rewrite H.
    destruct mk; [destruct Hw|]. destruct g; [destruct Hc|]. left. reflexivity.
  - cbv zeta. destruct (Sg c Hc) as [L N]. destruct c as [[|x r] i] eqn:Ec; [discriminate|]. cbn [fst] in *.
    pose proof (Hmk w Hw) as Lw. destruct w as [|l w]; [discriminate|]. rewrite <- Ec in *.
    intros H. cbn [walk]. destruct (stop dark sofar (map snd g)) eqn:S0.
    { exfalso. rewrite shown_cons, cost_cons in H. 
      assert (0 <= snd (at_level l x) + cost w r) as P.
      { pose proof (N l x (or_introl eq_refl)) as [_ P1]. enough (0 <= cost w r) by lia.
        unfold cost. rewrite sum_fold. apply sum_nonneg. intros [a b] Hab. apply in_combine_r in Hab. apply N. right. exact Hab. }
      pose proof (stays dark (stars (fst (at_level l x) :: shown w r)) sofar _
        (fun y => labels_eqb (shown (l :: w) (fst y)) (fst (at_level l x) :: shown w r)) g S0 P) as K.
      rewrite map_map in K. cbn [popped snd] in K. change (map (fun x0 : list cell * type => snd x0)) with (map (@snd (list cell) type)) in K.
      congruence. }
    apply (in_gather _ _ _ (level_key (l :: w))).
    { rewrite get_part. apply (not_empty _ _ _ (l :: w)); auto. apply Pos.eqb_refl. }
    set (vs := get _ _). assert (vs = filter (fun v => Pos.eqb (level_key (l :: w)) (level_key v)) mk) as Evs by apply get_part.
    assert (vs <> []) as Nvs by (rewrite Evs; apply (not_empty _ _ _ (l :: w)); auto; apply Pos.eqb_refl).
    assert (hd O (hd [] vs) = l) as ->.
    { rewrite Evs in *. destruct (hd_filter _ _ (@nil nat) mk Nvs) as [_ K]. apply Pos.eqb_eq in K.
      apply level_key_eq in K. symmetry. exact K. }
    assert (In w (map (@tl nat) vs)) as Hw'.
    { apply in_map_iff. exists (l :: w). split; [reflexivity|]. rewrite Evs. apply filter_In. split; auto. apply Pos.eqb_refl. }
    assert (forall v, In v (map (@tl nat) vs) -> length v = m) as Hmk'.
    { intros v Hv. apply in_map_iff in Hv. destruct Hv as [u [<- Hu]]. rewrite Evs in Hu. apply filter_In in Hu.
      destruct Hu as [Hu _]. apply Hmk in Hu. destruct u; simpl in *; lia. }
    clearbody vs. set (q := label_key l c).
    assert (In c (filter (fun y => Pos.eqb q (label_key l y)) g)) as Hcg by (apply filter_In; split; auto; apply Pos.eqb_refl).
    apply (in_gather _ _ _ q); rewrite get_part; [intros K; rewrite K in Hcg; destruct Hcg|].
    set (g' := filter (fun y => Pos.eqb q (label_key l y)) g) in *.
    destruct (hd_filter _ (fun y => Pos.eqb q (label_key l y)) ([], Type_ [] 0 0 0 0 0) g) as [H0 Hq0].
    { fold g'. intros K. rewrite K in Hcg. destruct Hcg. }
    fold g' in H0, Hq0. set (c0 := hd _ g') in *. apply Pos.eqb_eq in Hq0.
    assert (at_level l (hd [] (fst c0)) = at_level l x) as ->.
    { destruct (Sg c0 H0) as [L0 N0]. assert (hd [] (fst c) = x) as Hx by (rewrite Ec; reflexivity).
      destruct (fst c0) as [|x0 r0] eqn:F0; [discriminate|]. cbn [hd].
      assert (fst (at_level l x0) = fst (at_level l x)) as E1.
      { apply key_eq; [apply N0; left; auto|apply N; left; auto|]. unfold q, label_key in Hq0. rewrite F0, Hx in Hq0. auto. }
      specialize (St c0 c O l H0 Hc). rewrite F0, Ec in St. cbn [fst nth] in St. specialize (St E1).
      destruct (at_level l x0), (at_level l x); cbn in *; congruence. }
    specialize (IH (map (@tl nat) vs) (dark && (fst (at_level l x) =? star)) (sofar + snd (at_level l x)) (l :: path)
      (map popped g') (popped c) w (sane_popped m g _ Sg) (steady_popped g _ St) Hmk' (in_map popped _ _ Hcg) Hw').
    destruct (class_step (X := unit) m g l q [] w (shown w r) c Sg Hc eq_refl) as [C1 _]; [intros ? []|].
    cbv zeta in IH. assert (fst (popped c) = r) as Er by (rewrite Ec; reflexivity). rewrite Er in IH.
    fold g' in C1. rewrite C1, map_map in IH. cbn [popped snd] in IH.
    assert (hd [] (fst c) = x) as Hx by (rewrite Ec; reflexivity). rewrite Hx in IH.
    rewrite shown_cons, cost_cons in *. cbn [rev] in IH. rewrite <- app_assoc in IH.
    replace (sofar + snd (at_level l x) + cost w r) with (sofar + (snd (at_level l x) + cost w r)) in IH by lia.
    replace ((dark && (fst (at_level l x) =? star)) && stars (shown w r)) with (dark && stars (fst (at_level l x) :: shown w r)) in IH
      by (simpl; apply andb_assoc).
    apply IH. exact H.
Qed.
End Stop.
