(** [M1, M2] Matchings with odd sets: where every class has two rows, it splits into pairs and triples, so that prices that no
    pair, triple or single row undercuts add up to no more than a release costs; and where no value has more than half of a
    class, so that sensitive values differ in every pair and triple. *)
From Coq Require Import ZArith List Bool Lia Permutation PArith.
From Incrowd Require Import Statement Sums Model Reading Walk Prices Components Leaves Halves Pairs.
Import ListNotations.
Open Scope Z_scope.

Lemma filter_split A (b : A -> bool) l : Permutation l (filter b l ++ filter (fun x => negb (b x)) l).
Proof.
  induction l as [|x l IH]; simpl; auto. destruct (b x); simpl; [constructor; exact IH|].
  apply Permutation_cons_app. exact IH.
Qed.
Lemma concat_singles A (l : list A) : concat (map (fun x => [x]) l) = l.
Proof. induction l; simpl; congruence. Qed.

(** ** Odd sets and parts *)
Lemma odd_cases n : odd n = 0 \/ odd n = 1.
Proof. unfold odd. pose proof (Z.mod_pos_bound n 2 ltac:(lia)). lia. Qed.
Lemma odd_add a b : odd (a + b) <= odd a + odd b.
Proof. unfold odd. rewrite Z.add_mod by lia. pose proof (Z.mod_pos_bound a 2 ltac:(lia)). pose proof (Z.mod_pos_bound b 2 ltac:(lia)).
  apply Z.mod_le; lia. Qed.
Lemma number_of_app A (b : A -> bool) l l' : number_of b (l ++ l') = number_of b l + number_of b l'.
Proof. apply sum_app. Qed.
Lemma odd_parts A (b : A -> bool) parts : odd (number_of b (concat parts)) <= sum (fun x => odd (number_of b x)) parts.
Proof.
  induction parts as [|x parts IH]; simpl; [apply Z.le_refl|].
  rewrite number_of_app. pose proof (odd_add (number_of b x) (number_of b (concat parts))). lia.
Qed.

(** ** Rows of a class, by twos and threes *)
Definition same_class (x y : entry) : Prop := snd x = snd y /\ shows (snd x) (fst x) = shows (snd y) (fst y).
Definition class (e : entry) (l : list entry) : list entry := filter (inside (snd e) (shows (snd e) (fst e))) l.
(** What holds of every class holds of all rows, one class after another. *)
Lemma class_by_class (splits : list entry -> Prop) : (forall l l', Permutation l l' -> splits l -> splits l') ->
  (forall l l', splits l -> splits l' -> splits (l ++ l')) -> splits [] ->
  forall n l, (length l <= n)%nat -> (forall e, In e l -> splits (class e l)) -> splits l.
Proof.
  intros SP SA S0. induction n as [|n IH]; intros l Hn H; [destruct l; [exact S0|simpl in Hn; lia]|].
  destruct l as [|e l0] eqn:El; [exact S0|]. rewrite <- El in *. assert (In e l) as Ie by (rewrite El; left; auto).
  set (b := inside (snd e) (shows (snd e) (fst e))). assert (b e = true) as Be by (apply inside_true; auto).
  apply (SP _ _ (Permutation_sym (filter_split _ b l))), SA; [exact (H e Ie)|]. apply IH.
  - rewrite El. simpl. rewrite Be. simpl. eapply Nat.le_trans; [apply filter_length|]. rewrite El in Hn. simpl in Hn. lia.
  - intros x Hx. apply filter_In in Hx. destruct Hx as [Hx Nx]. specialize (H x Hx).
    assert (class x (filter (fun y => negb (b y)) l) = class x l) as ->; [|exact H].
    unfold class. rewrite filter_filter. apply filter_ext. intros y. destruct (b y) eqn:By; auto. cbn [negb andb].
    symmetry. destruct (inside _ _ y) eqn:Y; auto. unfold b in By, Nx. rewrite inside_true in By, Y.
    destruct By as [B1 B2], Y as [Y1 Y2].
    assert (inside (snd e) (shows (snd e) (fst e)) x = true) as Bx by (apply inside_true; split; congruence).
    rewrite Bx in Nx. discriminate.
Qed.
(** [M1] Rows of which no value of either column has more than half. *)
Definition halved (f : Z -> Z) (c : list type) : Prop := forall v, 2 * with_value (fun i => f (other i)) v c <= Z.of_nat (length c).

Section Sound.
Variable p : policy.
Variable rows : list type.
Variable m : nat.
Hypothesis rows_tidy : tidy m (map cells rows) = true.
Variable vectors : list vector.
Hypothesis vectors_within : forall v i, In v vectors -> In i rows -> within v (cells i) = true.
Variable kinds : option ((Z -> Z) * (Z -> Z)).
Variable scale : Z.
Variable unit_ : Z.
Variable sets_of : type -> list Z.
Variable sets : list (Z * Z).
Hypothesis good : prices_good p vectors kinds scale unit_ sets_of sets rows = true.
Variable a : list entry.
Hypothesis a_rows : Permutation (map fst a) rows.
Hypothesis a_valid : valid p vectors a.
Hypothesis a_halved : forall f g, kinds = Some (f, g) -> keeps (fun c => halved f c /\ halved g c) a.

Let asked := asked sets_of sets.
Let good_parts := good_parts p rows vectors kinds scale unit_ sets_of sets good.
Let set_price := set_price p rows vectors kinds scale unit_ sets_of sets good.
Let same_pays := same_pays rows m rows_tidy.
Let M3_alone := M3_alone p rows vectors kinds scale unit_ sets_of sets good.
Let M5_pair := M5_pair p rows m rows_tidy vectors vectors_within kinds scale unit_ sets_of sets good.
Let M6_triple := M6_triple p rows m rows_tidy vectors vectors_within kinds scale unit_ sets_of sets good.
Lemma a_in e : In e a -> In (fst e) rows.
Proof. intros H. apply (Permutation_in _ a_rows), in_map, H. Qed.
(** Two or three rows of one class, of no two the same sensitive value; or a single row where that is a class. *)
Definition good_part (part : list entry) : Prop :=
  (exists e, part = [e] /\ kinds = None /\ In e a /\ free p (shows (snd e) (fst e)) = true) \/
  ((length part = 2 \/ length part = 3)%nat /\ (forall x y, In x part -> In y part -> In x a /\ same_class x y) /\
   ForallOrdPairs (fun x y => clash kinds (fst x) (fst y) = false) part).
Definition splits (l : list entry) : Prop := exists parts, Permutation l (concat parts) /\ forall part, In part parts -> good_part part.
Lemma class_alike e x y : In x (class e a) -> In y (class e a) -> In x a /\ same_class x y.
Proof.
  intros Hx Hy. apply filter_In in Hx, Hy. destruct Hx as [Hx Bx], Hy as [Hy By]. rewrite inside_true in Bx, By.
  destruct Bx, By. split; [exact Hx|split; congruence].
Qed.
Lemma in_part A (x : A) part parts c : Permutation c (concat parts) -> In part parts -> In x part -> In x c.
Proof. intros P Hp Hx. apply (Permutation_in _ (Permutation_sym P)), in_concat. eauto. Qed.
(** Where every class has two rows. *)
Lemma M2_class e : kinds = None -> In e a -> splits (class e a).
Proof.
  destruct good_parts as [_ [_ [K _]]]. intros E Ie. specialize (K E).
  destruct (free p (shows (snd e) (fst e))) eqn:F.
  - exists (map (fun x => [x]) (class e a)). rewrite concat_singles. split; [reflexivity|]. intros part Hp. apply in_map_iff in Hp.
    destruct Hp as [x [<- Hx]]. left. exists x. destruct (class_alike e x e Hx) as [Xa [_ S2]];
      [apply filter_In; split; [exact Ie|apply inside_true; auto]|]. rewrite S2. auto.
  - assert (2 <= length (class e a))%nat as Lc.
    { destruct e as [i v]. pose proof (proj2 (a_valid i v Ie)) as N. unfold need in N. cbn [fst snd] in F. rewrite F in N. unfold number_of in N.
      rewrite <- (sum_filter _ (fun _ => 1)), sum_ones in N. unfold class. cbn [fst snd]. lia. }
    destruct (halves_spec _ _ (class e a) (le_n _) Lc) as [H1 H2]. exists (halves (class e a)). rewrite H1. split; [reflexivity|].
    intros part Hp. right. split; [apply H2; exact Hp|]. split.
    + intros x y Hx Hy. apply (class_alike e); apply (in_part _ _ part (halves (class e a))); auto; rewrite H1; reflexivity.
    + clear - E. rewrite E. induction part; constructor; auto. apply Forall_forall. reflexivity.
Qed.
(** [M1] Where no value has more than half of a class. *)
Lemma M1_class f g e : kinds = Some (f, g) -> In e a -> splits (class e a).
Proof.
  intros E Ie. set (c := class e a). assert (In e c) as Ic by (apply filter_In; split; [exact Ie|apply inside_true; auto]).
  destruct (a_halved f g E (snd e) (shows (snd e) (fst e))) as [N|[F G]];
    [|change (filter (inside (snd e) (shows (snd e) (fst e))) a) with c in F, G].
  { change (map fst c = []) in N. destruct c; [destruct Ic|discriminate]. }
  unfold halved, with_value, number_of in F, G. rewrite map_length in F, G.
  set (f' := fun x : entry => f (other (fst x))). set (g' := fun x : entry => g (other (fst x))).
  assert (forall v, 2 * with_value f' v c <= Z.of_nat (length c)) as F' by (intros v; specialize (F v); rewrite sum_map in F; exact F).
  assert (forall v, 2 * with_value g' v c <= Z.of_nat (length c)) as G' by (intros v; specialize (G v); rewrite sum_map in G; exact G).
  pose proof (number_of_least _ (fun x => f' x =? f' e) c e Ic (Z.eqb_refl _)) as One. fold (with_value f' (f' e) c) in One.
  pose proof (F' (f' e)) as Two. set (n := Z.to_nat (Z.of_nat (length c) / 2 - 1)).
  pose proof (Z.div_mod (Z.of_nat (length c)) 2 ltac:(lia)) as D. pose proof (Z.mod_pos_bound (Z.of_nat (length c)) 2 ltac:(lia)) as M.
  assert (Z.of_nat (S n) = Z.of_nat (length c) / 2) as L by (unfold n; lia).
  destruct (M1_split f' g' n c) as [parts [P1 P2]]; [lia|intros v; specialize (F' v); lia|intros v; specialize (G' v); lia|].
  exists parts. split; [exact P1|]. intros part Hp. destruct (P2 part Hp) as [S A]. right. split; [exact S|]. split.
  - intros x y Hx Hy. apply (class_alike e); apply (in_part _ _ part parts _ P1 Hp); auto.
  - clear - A E. induction A as [|x l H _ IH]; constructor; auto. eapply Forall_impl; [|exact H]. intros y [N1 N2].
    unfold clash. rewrite E. apply orb_false_iff. split; apply Z.eqb_neq; auto.
Qed.
Lemma M2_parts : splits a.
Proof.
  apply (class_by_class splits) with (n := length a); auto.
  - intros l l' P [parts [P1 P2]]. exists parts. split; auto. rewrite <- P. exact P1.
  - intros l l' [x [X1 X2]] [y [Y1 Y2]]. exists (x ++ y). rewrite concat_app. split; [apply Permutation_app; auto|].
    intros part Hp. apply in_app_or in Hp. destruct Hp; auto.
  - exists []. split; [constructor|intros ? []].
  - intros e He. enough (forall o, kinds = o -> splits (class e a)) as H by (apply (H kinds); reflexivity).
    intros [[f g]|] E; [apply (M1_class f g)|apply M2_class]; auto.
Qed.

Hypothesis rows_differ : NoDup rows.
Lemma part_pays part : good_part part -> NoDup (map fst part) ->
  asked (map fst part) * unit_ <= scale * sum (fun e => pays (snd e) (fst e)) part.
Proof.
  intros G D. assert (forall e, In e a -> In (snd e) vectors /\ In (fst e) rows) as V.
  { intros [i v] He. split; [apply (a_valid i v He)|apply (a_in (i, v) He)]. }
  destruct G as [[e [-> [E [He F]]]]|[L [C O]]].
  { destruct (V e He). cbn [map sum]. rewrite Z.add_0_r. apply M3_alone; auto. }
  destruct part as [|x [|y [|z [|]]]]; try (simpl in L; lia).
  - inversion O as [|? ? O1 _]. inversion O1 as [|? ? C1 _]. subst.
    destruct (C x y) as [Hx [S1 S2]]; simpl; auto. destruct (C y x) as [Hy _]; simpl; auto.
    destruct (V x Hx) as [Vx Rx]. destruct (V y Hy) as [Vy Ry]. cbn [map sum] in *.
    pose proof (M5_pair (fst x) (fst y) Rx Ry) as P. inversion D as [|? ? N _]. rewrite <- S1 in *.
    specialize (P ltac:(intros K; apply N; left; auto) Rx Ry C1 (snd x) Vx S2). rewrite (same_pays (fst y) (fst x)) by auto. unfold asked. nia.
  - inversion O as [|? ? O1 O2]. inversion O1 as [|? ? C1 O3]. inversion O3 as [|? ? C2 _]. inversion O2 as [|? ? O4 _].
    inversion O4 as [|? ? C3 _]. subst.
    destruct (C x y) as [Hx [S1 S2]]; simpl; auto. destruct (C y x) as [Hy _]; simpl; auto. destruct (C z x) as [Hz _]; simpl; auto.
    destruct (C x z) as [_ [T1 T2]]; simpl; auto.
    destruct (V x Hx) as [Vx Rx]. destruct (V y Hy) as [Vy Ry]. destruct (V z Hz) as [Vz Rz]. cbn [map sum] in *.
    pose proof (M6_triple (fst x) (fst y) (fst z) Rx Ry Rz) as P. inversion D as [|? ? N D']. inversion D' as [|? ? N' _].
    rewrite <- S1, <- T1 in *.
    specialize (P ltac:(intros K; apply N; left; auto) ltac:(intros K; apply N; right; left; auto) ltac:(intros K; apply N'; left; auto)
      Rx Ry Rz C1 C2 C3 (snd x) Vx S2 T2).
    rewrite (same_pays (fst y) (fst x)), (same_pays (fst z) (fst x)) by auto. unfold asked. nia.
Qed.
Lemma NoDup_concat_part A (ls : list (list A)) l : NoDup (concat ls) -> In l ls -> NoDup l.
Proof.
  induction ls as [|x ls IH]; simpl; [tauto|]. intros D [<-|H].
  - clear IH. induction x as [|b x IH]; [constructor|]. simpl in D. inversion D as [|? ? N D']. constructor; auto.
    intros K. apply N, in_or_app. auto.
  - apply IH; auto. induction x as [|b x IHx]; auto. simpl in D. inversion D. auto.
Qed.
(** [M2] *)
Theorem M2_matching : (sum price rows + sum snd sets) * unit_ <= scale * total_cost a.
Proof.
  destruct M2_parts as [parts [P G]].
  assert (Permutation rows (concat (map (map fst) parts))) as PR.
  { rewrite <- concat_map, <- P. symmetry. exact a_rows. }
  assert (NoDup (concat (map (map fst) parts))) as ND by (apply (Permutation_NoDup PR), rows_differ).
  assert (sum (fun part => asked (map fst part)) parts * unit_ <= scale * total_cost a) as U.
  { unfold total_cost. rewrite (sum_permutation _ _ _ _ P).
    assert (forall ls, incl ls parts -> sum (fun part => asked (map fst part)) ls * unit_
      <= scale * sum (fun e => pays (snd e) (fst e)) (concat ls)) as H; [|apply H; intros x; auto].
    induction ls as [|x ls IH]; intros I; cbn [sum concat]; [simpl; lia|]. rewrite sum_app, Z.mul_add_distr_r, Z.mul_add_distr_l.
    specialize (IH (fun y Hy => I y (or_intror Hy))). pose proof (part_pays x (G x (I x (or_introl eq_refl)))) as H.
    assert (NoDup (map fst x)) as Dx by (apply (NoDup_concat_part _ _ _ ND), in_map, I; left; auto). specialize (H Dx). apply Z.add_le_mono; [exact H|exact IH]. }
  enough (sum price rows + sum snd sets <= sum (fun part => asked (map fst part)) parts) as B.
  { destruct good_parts as [_ [Un _]]. nia. }
  unfold asked, Pairs.asked. rewrite sum_add.
  assert (sum price rows = sum (fun part => sum price (map fst part)) parts) as ->.
  { rewrite (sum_permutation _ _ _ _ PR). clear. induction parts; simpl; auto. rewrite sum_app. lia. }
  apply Z.add_le_mono_l. rewrite (sum_swap _ _ (fun part s => snd s * odd (number_of (Pairs.in_set sets_of (fst s)) (map fst part)))).
  apply sum_le. intros s Hs. rewrite sum_mul. pose proof (set_price s Hs).
  enough (1 <= sum (fun part => odd (number_of (Pairs.in_set sets_of (fst s)) (map fst part))) parts) by nia.
  destruct good_parts as [_ [_ [_ [_ [S _]]]]]. rewrite forallb_forall in S. specialize (S s Hs). unfold set_good in S.
  rewrite !andb_true_iff in S. destruct S as [[_ O] _]. apply Z.eqb_eq in O. rewrite <- O. clear O.
  pose proof (odd_parts _ (Pairs.in_set sets_of (fst s)) (map (map fst) parts)) as OP. rewrite sum_map in OP.
  eapply Z.le_trans; [|exact OP]. apply Z.eq_le_incl. unfold number_of. rewrite sum_filter. f_equal. apply sum_permutation. exact PR.
Qed.
End Sound.

Lemma single_rows_are original : forall n prices rows, single_rows n original prices = Some rows ->
  map (fun i => (cells i, other i)) rows = original /\ expand rows = rows /\ NoDup rows /\ forall i, In i rows -> n <= place i.
Proof.
  induction original as [|r original IH]; intros n [|x prices] rows H; simpl in H; try discriminate.
  - injection H as <-. repeat split; try constructor. intros i [].
  - destruct (single_rows (n + 1) original prices) as [l|] eqn:E; [|discriminate]. injection H as <-.
    destruct (IH _ _ _ E) as [H1 [H2 [H3 H4]]]. simpl. rewrite H1, <- surjective_pairing. repeat split.
    + unfold expand in *. simpl. rewrite H2. reflexivity.
    + constructor; auto. intros K. specialize (H4 _ K). simpl in H4. lia.
    + intros i [<-|Hi]; simpl; [lia|]. specialize (H4 i Hi). lia.
Qed.
Lemma tidy_heights m rows r t : tidy m rows = true -> In r rows -> In t rows -> map (@length _) r = map (@length _) t.
Proof.
  intros H Hr Ht. pose proof (tidy_lengths _ _ _ H Hr) as Lr. pose proof (tidy_lengths _ _ _ H Ht) as Lt.
  apply (nth_ext _ _ (length (@nil (label * Z))) (length (@nil (label * Z)))); rewrite !map_length; [exact (eq_trans Lr (eq_sym Lt))|].
  intros j Hj. rewrite !map_nth. apply (tidy_columns m rows r t j H Hr Ht). rewrite <- Lr. exact Hj.
Qed.
Lemma within_heights v : forall r t, map (@length _) r = map (@length _) t -> within v r = within v t.
Proof.
  induction v as [|l v IH]; intros [|c r] [|d t] E; simpl in *; try discriminate; auto. injection E as E1 E2.
  rewrite E1, (IH r t); auto.
Qed.
Lemma fits_within v r : fits v r -> within v r = true.
Proof. induction 1 as [|l c v r H _ IH]; simpl; auto. rewrite IH, andb_true_r. apply Nat.ltb_lt. exact H. Qed.

(** [M1] *)
Lemma M1_halved asked table r f c : halving asked table r = Some f -> incl (map other c) table ->
  (forall q, In q asked -> meets table (map other c) q) -> halved f c.
Proof.
  unfold halving. destruct (nth_error asked r) as [[value share whole| | | | |]|] eqn:Q; try discriminate.
  destruct (0 <? whole) eqn:W; [|discriminate]. cbn [andb]. destruct (forallb _ table) eqn:S; [|discriminate]. intros H. injection H as <-.
  intros I M v. apply Z.ltb_lt in W. rewrite forallb_forall in S. apply nth_error_In in Q. specialize (M _ Q v). unfold often in M.
  rewrite !map_length, map_map in M. unfold with_value.
  assert (Z.of_nat (count_occ Z.eq_dec (map (fun i => value (other i)) c) v) = number_of (fun i => value (other i) =? v) c) as N.
  { unfold number_of. clear. induction c as [|i c IH]; [reflexivity|]. cbn [map count_occ sum].
    destruct (Z.eq_dec (value (other i)) v) as [E|E]; destruct (Z.eqb_spec (value (other i)) v); try contradiction; lia. }
  rewrite N in M. destruct (Z.leb_spec (number_of (fun i => value (other i) =? v) c) 0) as [Z0|P]; [lia|].
  destruct (number_of_some _ _ _ P) as [i [Hi E]]. apply Z.eqb_eq in E. specialize (S (other i) (I _ (in_map other _ _ Hi))).
  rewrite E in S. apply Z.leb_le in S. nia.
Qed.

Theorem M_bound p original c b : matching_bound p original c = Some b ->
  forall released total, is_release p original released total -> b <= total.
Proof.
  unfold matching_bound. destruct (match judged c with None => _ | Some _ => _ end) as [kinds|] eqn:EK; [|discriminate].
  destruct (single_rows 0 original (row_prices c)) as [rows|] eqn:ER; [|discriminate].
  set (m := match original with [] => O | _ => _ end). set (first := match original with [] => [] | _ => _ end). cbv zeta.
  set (vectors := filter _ (mask p)). set (sets_of := fun i : type => _). set (sets := numbered 0 (set_prices c)).
  destruct (tidy m (map cells rows)) eqn:T; [|discriminate]. cbn [andb]. destruct (prices_good _ _ _ _ _ _ _ _) eqn:G; [|discriminate].
  destruct (step_of rows mod unit_ c =? 0) eqn:D; [|discriminate]. apply Z.eqb_eq in D. intros H. injection H as <-.
  intros released total HR. destruct (single_rows_are _ _ _ _ ER) as [R1 [R2 [R3 _]]].
  destruct (entries_required p original released total rows HR) as [a [A1 [-> [A3 [A4 A5]]]]].
  { rewrite R2, R1. reflexivity. }
  rewrite R2 in A1. assert (forall e, In e a -> In (fst e) rows) as At by (intros e He; apply (Permutation_in _ A1), in_map, He).
  assert (forall v i, In i rows -> within v (cells i) = within v first) as W.
  { intros v i Hi. destruct original as [|r0 original']; [destruct (row_prices c); [injection ER as <-; destruct Hi|discriminate]|].
    apply within_heights, (tidy_heights m (map cells rows)); auto; [apply in_map, Hi|].
    apply (f_equal (map fst)) in R1. rewrite map_map in R1. change (map cells rows = map fst (r0 :: original')) in R1.
    rewrite R1. left. reflexivity. }
  assert (forall i v, In (i, v) a -> In v vectors /\ fits v (cells i)) as Af.
  { intros i v H. destruct (A3 i v H) as [Hm Hf]. split; auto. apply filter_In. split; auto.
    rewrite <- (W v i (At (i, v) H)). apply fits_within, Hf. }
  pose proof (uniform_valid p rows m T a At vectors Af A4) as UV. pose proof (uniform_cost rows m T a At vectors Af) as UC.
  eapply Z.le_trans; [|exact UC].
  assert (Permutation (map fst (uniform a)) rows) as UR by (rewrite uniform_rows; exact A1).
  assert (0 < scale c /\ 0 < unit_ c) as [Sc Un].
  { unfold prices_good in G. rewrite !andb_true_iff, !Z.ltb_lt in G. tauto. }
  apply P3_rounded; auto.
  - apply Z.mod_divide in D; [|lia]. eapply Z.divide_trans; [exact D|]. apply T5_total.
    intros e He. apply (Permutation_in _ UR), in_map, He.
  - apply (M2_matching p rows m T vectors) with (kinds := kinds) (sets_of := sets_of); auto.
    { intros v i Hv Hi. rewrite (W v i Hi). apply filter_In in Hv. tauto. }
    intros f g E. apply (uniform_keeps rows m T a At vectors Af). intros e He. set (l := map fst _).
    assert (incl (map other l) (map snd original)) as I.
    { intros o Ho. apply in_map_iff in Ho. destruct Ho as [i [<- Hi]]. apply in_map_iff in Hi. destruct Hi as [x [<- Hx]].
      apply filter_In in Hx. rewrite <- R1, map_map. apply (in_map other), At. tauto. }
    destruct (judged c) as [[r s]|]; [|congruence]. unfold both_halving in EK. cbn [fst snd] in EK.
    destruct (halving _ _ r) as [f'|] eqn:HF; [|discriminate]. destruct (halving _ _ s) as [g'|] eqn:HG; [|discriminate].
    injection EK as <-. injection E as -> ->. split; [apply (M1_halved _ _ _ _ _ HF I)|apply (M1_halved _ _ _ _ _ HG I)]; intros q Hq; apply A5; auto.
Qed.
