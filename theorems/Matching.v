(** [M1, M2] Matchings with odd sets: where every class has two rows, it splits into pairs and triples, so that prices that no
    pair, triple or single row undercuts add up to no more than a release costs. *)
From Coq Require Import ZArith List Bool Lia Permutation PArith.
From Incrowd Require Import Statement Sums Model Reading Walk Prices Components Leaves Pairs.
Import ListNotations.
Open Scope Z_scope.

Lemma filter_split A (b : A -> bool) l : Permutation l (filter b l ++ filter (fun x => negb (b x)) l).
Proof.
  induction l as [|x l IH]; simpl; auto. destruct (b x); simpl; [constructor; exact IH|].
  apply Permutation_cons_app. exact IH.
Qed.
Lemma concat_singles A (l : list A) : concat (map (fun x => [x]) l) = l.
Proof. induction l; simpl; congruence. Qed.
Lemma sum_ones A (l : list A) : sum (fun _ => 1) l = Z.of_nat (length l).
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [sum length]. lia. Qed.

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

(** Rows of an assignment that show the same fall into pairs and a triple. *)
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

Section Sound.
Variable p : policy.
Variable rows : list type.
Variable m : nat.
Hypothesis rows_tidy : tidy m (map cells rows) = true.
Variable vectors : list vector.
Hypothesis vectors_within : forall v i, In v vectors -> In i rows -> within v (cells i) = true.
Variable scale : Z.
Variable unit_ : Z.
Variable sets_of : type -> list Z.
Variable sets : list (Z * Z).
Hypothesis good : prices_good p vectors scale unit_ sets_of sets rows = true.
Variable a : list entry.
Hypothesis a_rows : Permutation (map fst a) rows.
Hypothesis a_valid : valid p vectors a.

Let asked := asked sets_of sets.
Let good_parts := good_parts p rows vectors scale unit_ sets_of sets good.
Let set_price := set_price p rows vectors scale unit_ sets_of sets good.
Let same_pays := same_pays rows m rows_tidy.
Let M3_alone := M3_alone p rows vectors scale unit_ sets_of sets good.
Let M5_pair := M5_pair p rows m rows_tidy vectors vectors_within scale unit_ sets_of sets good.
Let M6_triple := M6_triple p rows m rows_tidy vectors vectors_within scale unit_ sets_of sets good.
Lemma a_in e : In e a -> In (fst e) rows.
Proof. intros H. apply (Permutation_in _ a_rows), in_map, H. Qed.
(** ** Rows of a class, by twos and threes *)
Definition same_class (x y : entry) : Prop := snd x = snd y /\ shows (snd x) (fst x) = shows (snd y) (fst y).
Definition good_part (part : list entry) : Prop :=
  (exists e, part = [e] /\ In e a /\ free p (shows (snd e) (fst e)) = true) \/
  ((length part = 2 \/ length part = 3)%nat /\ forall x y, In x part -> In y part -> In x a /\ same_class x y).
Lemma M2_parts : forall n l, (length l <= n)%nat -> incl l a ->
  (forall e, In e l -> need p (shows (snd e) (fst e)) <= number_of (inside (snd e) (shows (snd e) (fst e))) l) ->
  exists parts, Permutation l (concat parts) /\ forall part, In part parts -> good_part part.
Proof.
  destruct good_parts as [_ [_ [K _]]].
  induction n as [|n IH]; intros l Hn Hl HV; [destruct l; [exists []; split; [constructor|intros ? []]|simpl in Hn; lia]|].
  destruct l as [|e l0] eqn:El; [exists []; split; [constructor|intros ? []]|]. rewrite <- El in *.
  set (b := inside (snd e) (shows (snd e) (fst e))). assert (b e = true) as Be by (apply inside_true; auto).
  assert (In e l) as Ie by (rewrite El; left; auto).
  destruct (IH (filter (fun x => negb (b x)) l)) as [parts [P1 P2]].
  - rewrite El. simpl. rewrite Be. simpl. eapply Nat.le_trans; [apply filter_length|]. rewrite El in Hn. simpl in Hn. lia.
  - intros x Hx. apply filter_In in Hx. apply Hl. tauto.
  - intros x Hx. apply filter_In in Hx. destruct Hx as [Hx Nx]. eapply Z.le_trans; [apply HV; exact Hx|].
    unfold number_of. rewrite sum_filter. apply sum_le. intros y Hy. destruct (inside _ _ y) eqn:Y; [|destruct (negb (b y)); lia].
    assert (b y = false) as ->; [|simpl; lia]. destruct (b y) eqn:By; auto.
    unfold b in By, Nx. rewrite inside_true in By, Y. destruct By as [B1 B2], Y as [Y1 Y2].
    assert (inside (snd e) (shows (snd e) (fst e)) x = true) as Bx by (apply inside_true; split; congruence).
    rewrite Bx in Nx. discriminate.
  - set (c := filter b l). assert (Permutation l (c ++ filter (fun x => negb (b x)) l)) as PL by apply filter_split.
    assert (forall x y, In x c -> In y c -> In x a /\ same_class x y) as C.
    { intros x y Hx Hy. apply filter_In in Hx, Hy. destruct Hx as [Hx Bx], Hy as [Hy By]. unfold b in Bx, By.
      rewrite inside_true in Bx, By. destruct Bx, By. split; [apply Hl, Hx|split; congruence]. }
    destruct (free p (shows (snd e) (fst e))) eqn:F.
    + exists (map (fun x => [x]) c ++ parts). split.
      * rewrite concat_app, concat_singles, <- P1. exact PL.
      * intros part Hp. apply in_app_or in Hp. destruct Hp as [Hp|Hp]; auto. apply in_map_iff in Hp. destruct Hp as [x [<- Hx]].
        left. exists x. split; auto. destruct (C x e Hx) as [Xa [S1 S2]]; [apply filter_In; auto|]. split; auto.
        rewrite S2. exact F.
    + assert (2 <= length c)%nat as Lc.
      { pose proof (HV e Ie) as N. unfold need in N. rewrite F in N. fold b in N. unfold number_of in N.
        rewrite <- (sum_filter _ (fun _ => 1)) in N. fold c in N. rewrite sum_ones in N. lia. }
      destruct (halves_spec _ (length c) c (le_n _) Lc) as [H1 H2].
      exists (halves c ++ parts). split.
      * rewrite concat_app, H1, <- P1. exact PL.
      * intros part Hp. apply in_app_or in Hp. destruct Hp as [Hp|Hp]; auto. right. split; [apply H2; exact Hp|].
        assert (forall x, In x part -> In x c) as I by (intros x Hx; rewrite <- H1; apply in_concat; eauto).
        intros x y Hx Hy. apply C; auto.
Qed.

Hypothesis rows_differ : NoDup rows.
Lemma part_pays part : good_part part -> NoDup (map fst part) ->
  asked (map fst part) * unit_ <= scale * sum (fun e => pays (snd e) (fst e)) part.
Proof.
  intros G D. assert (forall e, In e a -> In (snd e) vectors /\ In (fst e) rows) as V.
  { intros [i v] He. split; [apply (a_valid i v He)|apply (a_in (i, v) He)]. }
  destruct G as [[e [-> [He F]]]|[L C]].
  { destruct (V e He). cbn [map sum]. rewrite Z.add_0_r. apply M3_alone; auto. }
  destruct part as [|x [|y [|z [|]]]]; try (simpl in L; lia).
  - destruct (C x y) as [Hx [S1 S2]]; simpl; auto. destruct (C y x) as [Hy _]; simpl; auto.
    destruct (V x Hx) as [Vx Rx]. destruct (V y Hy) as [Vy Ry]. cbn [map sum] in *.
    pose proof (M5_pair (fst x) (fst y) Rx Ry) as P. inversion D as [|? ? N _]. rewrite <- S1 in *.
    specialize (P ltac:(intros K; apply N; left; auto) Rx Ry (snd x) Vx S2). rewrite (same_pays (fst y) (fst x)) by auto. unfold asked. nia.
  - destruct (C x y) as [Hx [S1 S2]]; simpl; auto. destruct (C y x) as [Hy _]; simpl; auto. destruct (C z x) as [Hz _]; simpl; auto.
    destruct (C x z) as [_ [T1 T2]]; simpl; auto.
    destruct (V x Hx) as [Vx Rx]. destruct (V y Hy) as [Vy Ry]. destruct (V z Hz) as [Vz Rz]. cbn [map sum] in *.
    pose proof (M6_triple (fst x) (fst y) (fst z) Rx Ry Rz) as P. inversion D as [|? ? N D']. inversion D' as [|? ? N' _].
    rewrite <- S1, <- T1 in *.
    specialize (P ltac:(intros K; apply N; left; auto) ltac:(intros K; apply N; right; left; auto) ltac:(intros K; apply N'; left; auto)
      Rx Ry Rz (snd x) Vx S2 T2).
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
  destruct (M2_parts (length a) a (le_n _) (fun e He => He)) as [parts [P G]].
  { intros [i v] He. apply (a_valid i v He). }
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
  map cells rows = map fst original /\ expand rows = rows /\ NoDup rows /\ forall i, In i rows -> n <= place i.
Proof.
  induction original as [|r original IH]; intros n [|x prices] rows H; simpl in H; try discriminate.
  - injection H as <-. repeat split; try constructor. intros i [].
  - destruct (single_rows (n + 1) original prices) as [l|] eqn:E; [|discriminate]. injection H as <-.
    destruct (IH _ _ _ E) as [H1 [H2 [H3 H4]]]. simpl. rewrite H1. repeat split.
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

Theorem M_bound p original c b : matching_bound p original c = Some b ->
  forall released total, is_release p original released total -> b <= total.
Proof.
  unfold matching_bound. destruct (single_rows 0 original (row_prices c)) as [rows|] eqn:ER; [|discriminate].
  set (m := match original with [] => O | _ => _ end). set (first := match original with [] => [] | _ => _ end). cbv zeta.
  set (vectors := filter _ (mask p)). set (sets_of := fun i : type => _). set (sets := numbered 0 (set_prices c)).
  destruct (tidy m (map cells rows)) eqn:T; [|discriminate]. cbn [andb]. destruct (prices_good _ _ _ _ _ _ _) eqn:G; [|discriminate].
  destruct (step_of rows mod unit_ c =? 0) eqn:D; [|discriminate]. apply Z.eqb_eq in D. intros H. injection H as <-.
  intros released total HR. destruct (single_rows_are _ _ _ _ ER) as [R1 [R2 [R3 _]]].
  destruct (entries_of p original released total rows HR) as [a [A1 [-> [A3 A4]]]].
  { rewrite R2, R1. reflexivity. }
  rewrite R2 in A1. assert (forall e, In e a -> In (fst e) rows) as At by (intros e He; apply (Permutation_in _ A1), in_map, He).
  assert (forall v i, In i rows -> within v (cells i) = within v first) as W.
  { intros v i Hi. destruct original as [|r0 original']; [destruct (row_prices c); [injection ER as <-; destruct Hi|discriminate]|].
    apply within_heights, (tidy_heights m (map cells rows)); auto; [apply in_map, Hi|]. rewrite R1. left. reflexivity. }
  assert (forall i v, In (i, v) a -> In v vectors /\ fits v (cells i)) as Af.
  { intros i v H. destruct (A3 i v H) as [Hm Hf]. split; auto. apply filter_In. split; auto.
    rewrite <- (W v i (At (i, v) H)). apply fits_within, Hf. }
  pose proof (uniform_valid p rows m T a At vectors Af A4) as UV. pose proof (uniform_cost rows m T a At vectors Af) as UC.
  eapply Z.le_trans; [|exact UC].
  assert (Permutation (map fst (uniform a)) rows) as UR by (rewrite uniform_rows; exact A1).
  assert (0 < scale c /\ 0 < unit_ c) as [Sc Un].
  { unfold prices_good in G. rewrite !andb_true_iff, !Z.ltb_lt in G. tauto. }
  apply P3_rounded; auto.
  - apply Z.mod_divide in D; [|lia]. eapply Z.divide_trans; [exact D|]. unfold total_cost.
    assert (forall l, incl l (uniform a) -> (step_of rows | sum (fun e => pays (snd e) (fst e)) l)) as S; [|apply S; intros x; auto].
    induction l as [|e l IH]; intros I; simpl; [apply Z.divide_0_r|]. apply Z.divide_add_r.
    + apply T5_divides. apply (Permutation_in _ UR), in_map, I. left. reflexivity.
    + apply IH. intros x Hx. apply I. right. exact Hx.
  - apply (M2_matching p rows m T vectors) with (sets_of := sets_of); auto.
    intros v i Hv Hi. rewrite (W v i Hi). apply filter_In in Hv. tauto.
Qed.
