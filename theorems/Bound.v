(** Theorem [bound]: no release of a table costs less than what a certificate is recounted to. *)
From Coq Require Import ZArith List Bool Lia Permutation PArith Mergesort Orders.
From Incrowd Require Import Statement Sums Model Reading Walk Dominance Prices Components Cuts Leaves Trees Pairs Matching Runs.
Import ListNotations.
Open Scope Z_scope.

(** A certificate by prices, trees and cuts: nothing in it is believed. [components] is [None] where it has none. *)
Record priced := Priced { in_parts : Z; prices : list Z; components : option (list Z); trees : list tree }.

Fixpoint typed (at_ : Z) (rs : list (list cell * Z)) (ps cs : list Z) : option (list type) :=
  match rs, ps, cs with
  | [], [], [] => Some []
  | (r, n) :: rs', p :: ps', c :: cs' =>
      match typed (at_ + 1) rs' ps' cs' with Some ts => Some (Type_ r n p c at_ :: ts) | None => None end
  | _, _, _ => None
  end.
(** A certificate is one of these. *)
Inductive certificate := ByPrices (c : priced) | ByMatching (c : matching).
Definition types_of (original : list row) (c : priced) : option (list type) :=
  let rs := runs cells_eqb (RowSort.sort (map fst original)) in
  typed 0 rs (prices c) (match components c with Some cs => cs | None => map (fun _ => 0) rs end).

(** ** Hints: nothing is proved of them, and nothing rests on them but how high a bound comes out *)
Module RankOrder <: TotalLeBool.
  Definition t := (Z * vector)%type.
  Definition leb (x y : t) := fst x <=? fst y.
  Lemma leb_total x y : leb x y = true \/ leb y x = true.
  Proof. unfold leb. destruct (Z.leb_spec (fst x) (fst y)); [auto|right; apply Z.leb_le; lia]. Qed.
End RankOrder.
Module RankSort := Sort RankOrder.
Definition one_cost (types : list type) : bool :=
  match types with
  | [] => true
  | i :: _ => forallb (fun j => labels_eqb (map snd (concat (cells i))) (map snd (concat (cells j)))) types
  end.
Definition top_of (types : list type) : vector :=
  match types with [] => [] | i :: _ => map (fun c => pred (length c)) (cells i) end.
Fixpoint star_columns (v top : vector) : Z :=
  match v, top with l :: v', h :: top' => (if Nat.eqb l h then 1 else 0) + star_columns v' top' | _, _ => 0 end.
Fixpoint lexical (radix : Z) (v : vector) (before : Z) : Z :=
  match v with [] => before | l :: v' => lexical radix v' (before * radix + Z.of_nat l) end.

(** What [skip] asks, made once. *)
Record order := Order { dictionary : trie vector; in_order : list vector; same_costs : bool; base : Z; ordinal : vector -> Z }.
Definition order_of (vectors : list vector) (types : list type) : order :=
  let top := top_of types in
  let radix := 1 + Z.of_nat (fold_right Nat.max O top) in
  let size := Z.pow radix (Z.of_nat (length top)) in
  let base := size * (Z.of_nat (length top) + 1) in
  let ordinal := fun v => star_columns v top * size + lexical radix v 0 in
  let uniform := one_cost types in
  let sorted := match types with
    | i :: _ => if uniform then map snd (RankSort.sort (map (fun v => (rank base ordinal v i, v)) vectors)) else vectors
    | [] => vectors
    end in
  Order (part_by code_key vectors) sorted uniform base ordinal.
Definition skips (vectors : list vector) (o : order) (v : vector) (g : list type) : bool :=
  skip vectors (dictionary o) (in_order o) (same_costs o) (base o) (ordinal o) false v g.
(** [K2] The instance of all types that matters, where nothing is free. *)
Definition hub_of (p : policy) (vectors : list vector) (o : order) (types : list type) : option vector :=
  let top := top_of types in
  if suppress p && allowed (dictionary o) top then None else
  match types with
  | [] => None
  | i :: _ => let d := joint top (map cells types) in
              Some (if allowed (dictionary o) d then d
                    else first_above vectors (in_order o) (same_costs o) (base o) (ordinal o) d top i)
  end.

(** ** The recount *)
Definition width (original : list row) : nat := match original with [] => O | r :: _ => length (fst r) end.
Definition vectors_of (p : policy) (m : nat) : list vector := filter (fun v => Nat.eqb (length v) m) (mask p).
Definition priced_bound (p : policy) (original : list row) (c : priced) : option Z :=
  let m := width original in
  match types_of original c with
  | None => None
  | Some types =>
      if (0 <? in_parts c) && tidy m (map cells types) then
        let vectors := vectors_of p m in
        let o := order_of vectors types in
        let hub := match components c with None => None | Some _ => hub_of p vectors o types end in
        if apart p m vectors hub (skips vectors o) types
        then Some (all_parts (in_parts c) (fun own => best p m vectors (in_parts c) hub (skips vectors o) own (trees c))
               (step_of types) types)
        else None
      else None
  end.
Definition lower_bound (p : policy) (original : list row) (c : certificate) : option Z :=
  match c with ByPrices c => priced_bound p original c | ByMatching c => matching_bound p original c end.

Lemma typed_cells rs : forall at_ ps cs types, typed at_ rs ps cs = Some types -> map (fun i => (cells i, count i)) types = rs.
Proof.
  induction rs as [|[r n] rs IH]; intros at_ [|p ps] [|c cs] types H; simpl in H; try discriminate.
  - injection H as <-. reflexivity.
  - destruct (typed (at_ + 1) rs ps cs) as [ts|] eqn:E; [|discriminate]. injection H as <-. simpl. rewrite (IH _ ps cs ts E). reflexivity.
Qed.
(** [T2] The row types stand for the original's rows. *)
Lemma T2_types original c types : types_of original c = Some types -> Permutation (map fst original) (map cells (expand types)).
Proof.
  intros H. apply typed_cells in H. unfold expand.
  assert (map cells (flat_map (fun i => repeat i (Z.to_nat (count i))) types)
          = flat_map (fun r => repeat (fst r) (Z.to_nat (snd r))) (map (fun i => (cells i, count i)) types)) as ->.
  { clear. induction types as [|i ts IH]; simpl; auto. rewrite map_app, IH. f_equal.
    generalize (Z.to_nat (count i)). induction n; simpl; congruence. }
  rewrite H, (runs_expand cells_eqb cells_eqb_eq). apply RowSort.Permuted_sort.
Qed.

Theorem P_bound : forall p original c b, priced_bound p original c = Some b ->
  forall released total, is_release p original released total -> b <= total.
Proof.
  intros p original c b H released total HR. unfold priced_bound in H.
  destruct (types_of original c) as [types|] eqn:ET; [|discriminate]. set (m := width original) in *.
  destruct ((0 <? in_parts c) && tidy m (map cells types)) eqn:E1; [|discriminate].
  apply andb_prop in E1. destruct E1 as [Hparts Htidy]. apply Z.ltb_lt in Hparts.
  set (vectors := vectors_of p m) in *. set (o := order_of vectors types) in *.
  set (hub := match components c with None => None | Some _ => _ end) in *.
  destruct (apart p m vectors hub (skips vectors o) types) eqn:EA; [|discriminate]. injection H as <-.
  destruct (entries_of p original released total types HR (T2_types _ _ _ ET)) as [a [A1 [-> [A3 A4]]]].
  assert (forall e, In e a -> In (fst e) types) as At.
  { intros e He. apply in_expand. apply (Permutation_in _ A1). apply in_map. exact He. }
  assert (forall i v, In (i, v) a -> In v vectors /\ fits v (cells i)) as Af.
  { intros i v H. destruct (A3 i v H) as [Hm Hf]. split; auto. apply filter_In. split; auto. apply Nat.eqb_eq.
    rewrite (fits_length _ _ Hf). apply (tidy_lengths m (map cells types)); auto. apply in_map. apply (At (i, v) H). }
  set (u := uniform a).
  pose proof (uniform_valid p types m Htidy a At vectors Af A4) as UV. fold u in UV.
  pose proof (uniform_cost types m Htidy a At vectors Af) as UC. fold u in UC.
  assert (map fst u = map fst a) as UR by apply uniform_rows.
  assert (forall e, In e u -> In (fst e) types) as Ut.
  { intros e He. apply in_expand. apply (Permutation_in _ A1). rewrite <- UR. apply in_map. exact He. }
  destruct (settle vectors (dictionary o) eq_refl (in_order o) (same_costs o) (base o) (ordinal o) p types
    (S (Z.to_nat (ranks (base o) (ordinal o) u))) u Ut UV (Nat.lt_succ_diag_r _)) as [s [S1 [S2 [S3 S4]]]].
  eapply Z.le_trans; [|eapply Z.le_trans; [exact S4|exact UC]].
  assert (forall v, In v vectors -> length v = m) as VL by (intros v Hv; apply filter_In in Hv; apply Nat.eqb_eq; tauto).
  assert (Permutation (map fst s) (expand types)) as SR by (rewrite S1, UR; exact A1).
  assert (forall e, In e s -> free p (shows (snd e) (fst e)) = false ->
    skips vectors o (snd e) (group types (snd e) (shows (snd e) (fst e))) = false) as SS.
  { intros e He Hf. specialize (S3 e He). unfold skipped in S3. rewrite Hf in S3. exact S3. }
  apply (K3_all_parts p types m vectors Htidy VL s SR S2 (in_parts c) Hparts hub (skips vectors o) SS); auto.
  intros inc Hinc. apply L3_best; auto.
Qed.

Theorem bound : forall p original c b, lower_bound p original c = Some b ->
  forall released total, is_release p original released total -> b <= total.
Proof.
  intros p original [c|c] b H released total HR; [apply (P_bound p original c b H released total HR)|].
  apply (M_bound p original c b H released total HR).
Qed.
Print Assumptions bound.
