(** [I3] Instances that matter: a class may move, at no greater cost, to a vector that comes first among those that show its
    rows alike. So there is a release of no greater cost all whose classes lie in instances that are not passed over. *)
From Coq Require Import ZArith List Bool Lia Permutation PArith.
From Incrowd Require Import Statement Sums Required Model Reading.
Import ListNotations.
Open Scope Z_scope.

Definition group (types : list type) (v : vector) (s : list label) : list type := filter (alike v s) types.

(** The lowest levels, up to those of v, at which rows are shown alike. *)
Definition same_at (x : nat) (column : list cell) : bool :=
  match column with
  | [] => true
  | c :: column' => let l := fst (at_level x c) in forallb (fun d => fst (at_level x d) =? l) column'
  end.
Fixpoint climb (up : nat) (x : nat) (column : list cell) : nat :=
  match up with O => x | S up' => if same_at x column then x else climb up' (S x) column end.
Fixpoint joint (v : vector) (rows : list (list cell)) : vector :=
  match v with
  | [] => []
  | l :: v' => climb l O (map (hd []) rows) :: joint v' (map (@tl cell) rows)
  end.
Fixpoint above (v u : vector) : bool :=
  match v, u with
  | a :: v', b :: u' => Nat.leb b a && above v' u'
  | _, _ => true
  end.

(** A number for a vector: a place in a dictionary, and an order. *)
Fixpoint code (v : vector) (before : Z) : Z :=
  match v with [] => before | l :: v' => code v' (before * 64 + Z.of_nat l) end.
Definition code_key (v : vector) : positive := Z.to_pos (code v 1).
Definition alike_all (v : vector) (g : list type) : bool :=
  match g with [] => true | i :: g' => let s := shows v i in forallb (alike v s) g' end.

Section Order.
Variable vectors : list vector.
Variable dictionary : trie vector.
Hypothesis dictionary_is : dictionary = part_by code_key vectors.
Variable in_order : list vector.       (* a hint: the same vectors, cheapest first *)
Variable one_cost : bool.              (* a hint: a row's cost depends on its vector alone *)
Variable base : Z.
Variable ordinal : vector -> Z.

Definition allowed (v : vector) : bool := existsb (vector_eqb v) (get (code_key v) dictionary).
Definition rank (v : vector) (i : type) : Z := Z.max 0 (pays v i * base + ordinal v).
Fixpoint least_rank (i : type) (d best : vector) (value : Z) (l : list vector) : vector :=
  match l with
  | [] => best
  | u :: l' => if above u d then let r := rank u i in if r <? value then least_rank i d u r l' else least_rank i d best value l'
               else least_rank i d best value l'
  end.
(** The first allowed vector above d, for a row of type i; v where there is none. *)
Definition first_above (d v : vector) (i : type) : vector :=
  if one_cost then match find (fun u => above u d) in_order with Some u => u | None => v end
  else least_rank i d v (rank v i) vectors.
Definition skip (dark : bool) (v : vector) (g : list type) : bool :=
  if dark then false else
  match g with
  | [] => false
  | i :: _ =>
      let d := joint v (map cells g) in
      let q := if vector_eqb d v then v else if allowed d then d else first_above d v i in
      if vector_eqb q v then false
      else allowed q && alike_all q g && forallb (fun i => (pays q i <=? pays v i) && (rank q i <? rank v i)) g
  end.

Lemma allowed_in v : allowed v = true -> In v vectors.
Proof.
  unfold allowed. rewrite existsb_exists. intros [u [Hu E]]. apply vector_eqb_eq in E. subst u.
  rewrite dictionary_is, get_part in Hu. apply filter_In in Hu. tauto.
Qed.
Lemma alike_all_true v g i j : alike_all v g = true -> In i g -> In j g -> shows v i = shows v j.
Proof.
  destruct g as [|x g]; [intros _ []|]. unfold alike_all. rewrite forallb_forall. intros H.
  assert (forall y, In y (x :: g) -> shows v y = shows v x) as S.
  { intros y [<-|Hy]; auto. apply labels_eqb_eq, H, Hy. }
  intros Hi Hj. rewrite (S i Hi), (S j Hj). reflexivity.
Qed.
Lemma skip_true dark v g : skip dark v g = true -> dark = false /\ exists q, In q vectors /\
  (forall i j, In i g -> In j g -> shows q i = shows q j) /\
  (forall i, In i g -> pays q i <= pays v i /\ rank q i < rank v i).
Proof.
  unfold skip. destruct dark; [discriminate|]. split; auto. destruct g as [|i0 g]; [discriminate|].
  set (q := if vector_eqb _ v then v else _) in *. destruct (vector_eqb q v); [discriminate|].
  rewrite !andb_true_iff, forallb_forall in H. destruct H as [[H1 H2] H3]. exists q. repeat split.
  - apply allowed_in. exact H1.
  - intros i j. apply alike_all_true. exact H2.
  - specialize (H3 i H). apply andb_prop in H3. destruct H3 as [H3 _]. apply Z.leb_le. exact H3.
  - specialize (H3 i H). apply andb_prop in H3. destruct H3 as [_ H3]. apply Z.ltb_lt. exact H3.
Qed.

Section Settle.
Variable p : policy.
Variable types : list type.

Definition skipped (e : entry) : bool :=
  let s := shows (snd e) (fst e) in skip (free p s) (snd e) (group types (snd e) s).
Definition settled (a : list entry) : Prop := forall e, In e a -> skipped e = false.
Definition moved (v : vector) (s : list label) (q : vector) (a : list entry) : list entry :=
  map (fun e => if inside v s e then (fst e, q) else e) a.
Definition ranks (a : list entry) : Z := sum (fun e => rank (snd e) (fst e)) a.

Lemma moved_rows v s q a : map fst (moved v s q a) = map fst a.
Proof. unfold moved. rewrite map_map. apply map_ext. intros e. destruct (inside v s e); reflexivity. Qed.

Lemma moved_valid v s q a : (forall e, In e a -> In (fst e) types) -> valid p vectors a -> In q vectors -> free p s = false ->
  (forall i j, In i (group types v s) -> In j (group types v s) -> shows q i = shows q j) -> valid p vectors (moved v s q a).
Proof.
  intros Ha HV Hq Hfree Hsame i u H. unfold moved in H. apply in_map_iff in H. destruct H as [[j w] [E H]].
  assert (forall x, In x a -> inside v s x = true -> In (fst x) (group types v s)) as G.
  { intros x Hx Hi. apply inside_true in Hi. destruct Hi as [_ Hi]. apply filter_In. split; [apply Ha; exact Hx|].
    apply labels_eqb_eq. exact Hi. }
  destruct (HV j w H) as [Hw Hn]. destruct (inside v s (j, w)) eqn:I; cbn [fst] in E; injection E as <- <-.
  - split; [exact Hq|]. pose proof I as I'. apply inside_true in I'. cbn [fst snd] in I'. destruct I' as [-> Is]. rewrite Is in Hn.
    assert (need p (shows q j) <= need p s) as N by (unfold need; rewrite Hfree; destruct (free p (shows q j)); lia).
    eapply Z.le_trans; [exact N|]. eapply Z.le_trans; [exact Hn|].
    unfold number_of, moved. rewrite sum_map. apply sum_le. intros x Hx. destruct (inside v s x) eqn:Ix.
    + rewrite (proj2 (inside_true _ _ _)); [lia|]. split; [reflexivity|]. cbn [fst].
      apply Hsame; [apply (G x)|apply (G (j, v))]; auto.
    + destruct (inside q _ x); lia.
  - split; [exact Hw|]. eapply Z.le_trans; [exact Hn|]. unfold number_of, moved. rewrite sum_map. apply sum_le.
    intros x Hx. destruct (inside w (shows w j) x) eqn:Ix; [|match goal with |- _ <= (if ?b then _ else _) => destruct b; lia end].
    assert (inside v s x = false) as ->; [|rewrite Ix; lia].
    destruct (inside v s x) eqn:Iv; auto. apply inside_true in Ix, Iv. destruct Ix as [X1 X2], Iv as [V1 V2].
    rewrite <- I. symmetry. apply inside_true. cbn [fst snd]. split; congruence.
Qed.

(** [V4] What two classes satisfy that stand together, if each does. *)
Variable good : list type -> Prop.
Hypothesis good_permutation : forall c d, Permutation c d -> good c -> good d.
Hypothesis good_union : forall c d, good c -> good d -> good (c ++ d).
Lemma all_none (b : entry -> bool) l : (forall x, In x l -> b x = false) -> filter b l = [].
Proof. induction l as [|x l IH]; simpl; intros H; auto. rewrite (H x); auto. Qed.
Lemma filter_parts (b c : entry -> bool) l : Permutation (filter b l)
  (filter (fun x => c x && b x) l ++ filter (fun x => negb (c x) && b x) l).
Proof.
  induction l as [|x l IH]; simpl; [constructor|]. destruct (b x), (c x); simpl; auto. apply Permutation_cons_app. exact IH.
Qed.
Lemma moved_keeps v s q a : (forall e, In e a -> In (fst e) types) -> free p s = false ->
  (forall i j, In i (group types v s) -> In j (group types v s) -> shows q i = shows q j) -> keeps good a -> keeps good (moved v s q a).
Proof.
  intros Ha _ Hsame K w t. cbv zeta. set (mine := fun x => inside v s x).
  assert (map fst (filter (inside w t) (moved v s q a))
          = map fst (filter (fun x => inside w t (if mine x then (fst x, q) else x)) a)) as ->.
  { unfold moved. rewrite filter_map, map_map. apply map_ext. intros x. destruct (inside v s x); reflexivity. }
  pose proof (Permutation_map fst (filter_parts (fun x => inside w t (if mine x then (fst x, q) else x)) mine a)) as P.
  rewrite map_app in P.
  assert (forall l, Permutation (map fst (filter (fun x => inside w t (if mine x then (fst x, q) else x)) a)) l ->
    l = [] \/ good l -> map fst (filter (fun x => inside w t (if mine x then (fst x, q) else x)) a) = [] \/
                        good (map fst (filter (fun x => inside w t (if mine x then (fst x, q) else x)) a))) as Back.
  { intros l Q [->|G]; [left; apply Permutation_nil; symmetry; exact Q|right; apply (good_permutation l); [symmetry; exact Q|exact G]]. }
  apply (Back _ P). clear Back P.
  assert (forall b c : list type, b = [] \/ good b -> c = [] \/ good c -> b ++ c = [] \/ good (b ++ c)) as Both.
  { intros b c [->|B] [->|C]; auto. rewrite app_nil_r. auto. }
  apply Both.
  - assert (forall x, In x a -> mine x = true -> In (fst x) (group types v s)) as G.
    { intros x Hx Hi. unfold mine in Hi. apply inside_true in Hi. destruct Hi as [_ Hi]. apply filter_In. split; [apply Ha; exact Hx|].
      apply labels_eqb_eq. exact Hi. }
    destruct (filter (fun x => mine x && _) a) as [|y l] eqn:E; [left; reflexivity|]. rewrite <- E.
    assert (In y (y :: l)) as Hy by (left; reflexivity). rewrite <- E in Hy. clear E l.
    apply filter_In in Hy. destruct Hy as [Hy I]. apply andb_prop in I. destruct I as [I1 I2]. rewrite I1 in I2.
    apply inside_true in I2. cbn [fst snd] in I2. destruct I2 as [<- <-].
    assert (filter (fun x => mine x && inside q (shows q (fst y)) (if mine x then (fst x, q) else x)) a = filter (inside v s) a) as ->; [|apply K].
    apply filter_ext_in. intros x Hx. fold (mine x). destruct (mine x) eqn:M; auto. simpl. apply inside_true. cbn [fst snd]. split; auto.
  - destruct (vector_eqb w v && labels_eqb t s) eqn:W.
    + left. rewrite all_none; [reflexivity|]. intros x Hx. destruct (mine x) eqn:M; auto. simpl. apply andb_prop in W. destruct W as [W1 W2].
      apply vector_eqb_eq in W1. apply labels_eqb_eq in W2. subst w t. exact M.
    + assert (filter (fun x => negb (mine x) && inside w t (if mine x then (fst x, q) else x)) a = filter (inside w t) a) as ->; [|apply K].
      apply filter_ext_in. intros x Hx. destruct (mine x) eqn:M; [|reflexivity]. simpl. symmetry. destruct (inside w t x) eqn:I; auto.
      exfalso. unfold mine in M. apply inside_true in M, I. destruct M as [M1 M2], I as [I1 I2]. 
      rewrite (proj2 (vector_eqb_eq w v)), (proj2 (labels_eqb_eq t s)) in W by congruence. discriminate.
Qed.

Theorem settle : forall n a, (forall e, In e a -> In (fst e) types) -> valid p vectors a -> keeps good a -> (Z.to_nat (ranks a) < n)%nat ->
  exists a', map fst a' = map fst a /\ valid p vectors a' /\ settled a' /\ keeps good a' /\ total_cost a' <= total_cost a.
Proof.
  induction n as [|n IH]; intros a Ha HV HK Hn; [lia|].
  destruct (existsb skipped a) eqn:E.
  - apply existsb_exists in E. destruct E as [[i v] [He Hs]]. unfold skipped in Hs. cbn [fst snd] in Hs.
    set (s := shows v i) in *. destruct (skip_true _ _ _ Hs) as [Hf [q [Hq [Hsame Hless]]]].
    assert (forall x, In x a -> inside v s x = true -> pays q (fst x) <= pays (snd x) (fst x) /\
                      rank q (fst x) < rank (snd x) (fst x)) as G.
    { intros x Hx Hi. apply inside_true in Hi. destruct Hi as [Hi1 Hi2]. rewrite Hi1. apply Hless. apply filter_In.
      split; [apply Ha; exact Hx|]. apply labels_eqb_eq. exact Hi2. }
    assert (ranks (moved v s q a) < ranks a) as R.
    { unfold ranks, moved. rewrite sum_map.
      assert (forall l, incl l a -> sum (fun e => rank (snd (if inside v s e then (fst e, q) else e)) (fst (if inside v s e then (fst e, q) else e))) l
                + (if existsb (inside v s) l then 1 else 0) <= sum (fun e => rank (snd e) (fst e)) l) as L.
      { induction l as [|x l IHl]; intros Hl; [simpl; lia|]. cbn [sum existsb].
        specialize (IHl (fun y Hy => Hl y (or_intror Hy))). specialize (G x (Hl x (or_introl eq_refl))).
        destruct (inside v s x); cbn [fst snd orb] in *.
        - destruct (G eq_refl). destruct (existsb (inside v s) l); lia.
        - lia. }
      specialize (L a (incl_refl a)). assert (existsb (inside v s) a = true) as X.
      { apply existsb_exists. exists (i, v). split; auto. apply inside_true. auto. }
      rewrite X in L. lia. }
    destruct (IH (moved v s q a)) as [a' [A1 [A2 [A3 [A5 A4]]]]].
    + intros e Hin. apply (in_map fst) in Hin. rewrite moved_rows in Hin. apply in_map_iff in Hin.
      destruct Hin as [x [<- Hx]]. apply Ha. exact Hx.
    + apply moved_valid; auto.
    + apply moved_keeps; auto.
    + assert (0 <= ranks (moved v s q a)) by (apply sum_nonneg; intros; unfold rank; lia). lia.
    + exists a'. rewrite moved_rows in A1. split; [exact A1|]. split; [exact A2|]. split; [exact A3|]. split; [exact A5|].
      eapply Z.le_trans; [exact A4|].
      unfold total_cost, moved. rewrite sum_map. apply sum_le. intros x Hx. specialize (G x Hx).
      destruct (inside v s x); cbn [fst snd]; [apply G; reflexivity|lia].
  - exists a. split; [reflexivity|]. split; [exact HV|]. split; [|split; [exact HK|lia]].
    intros e He. destruct (skipped e) eqn:S; auto.
    assert (existsb skipped a = true) by (apply existsb_exists; eauto). congruence.
Qed.
End Settle.
End Order.
