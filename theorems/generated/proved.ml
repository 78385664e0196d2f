
(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

type nat =
| O
| S of nat

(** val fst : ('a1 * 'a2) -> 'a1 **)

let fst = function
| (x, _) -> x

(** val snd : ('a1 * 'a2) -> 'a2 **)

let snd = function
| (_, y) -> y

(** val length : 'a1 list -> nat **)

let rec length = function
| [] -> O
| _ :: l' -> S (length l')

(** val app : 'a1 list -> 'a1 list -> 'a1 list **)

let rec app l m =
  match l with
  | [] -> m
  | a :: l1 -> a :: (app l1 m)

type comparison =
| Eq
| Lt
| Gt

(** val pred : nat -> nat **)

let pred n0 = match n0 with
| O -> n0
| S u -> u

module Coq__1 = struct
 (** val add : nat -> nat -> nat **)
 let rec add n0 m =
   match n0 with
   | O -> m
   | S p -> S (add p m)
end
include Coq__1

module type TotalLeBool' =
 sig
  type t

  val leb : t -> t -> bool
 end

module Nat =
 struct
  (** val eqb : nat -> nat -> bool **)

  let rec eqb n0 m =
    match n0 with
    | O -> (match m with
            | O -> true
            | S _ -> false)
    | S n' -> (match m with
               | O -> false
               | S m' -> eqb n' m')

  (** val leb : nat -> nat -> bool **)

  let rec leb n0 m =
    match n0 with
    | O -> true
    | S n' -> (match m with
               | O -> false
               | S m' -> leb n' m')

  (** val ltb : nat -> nat -> bool **)

  let ltb n0 m =
    leb (S n0) m

  (** val max : nat -> nat -> nat **)

  let rec max n0 m =
    match n0 with
    | O -> m
    | S n' -> (match m with
               | O -> n0
               | S m' -> S (max n' m'))
 end

module Pos =
 struct
  type mask =
  | IsNul
  | IsPos of Big_int_Z.big_int
  | IsNeg
 end

module Coq_Pos =
 struct
  (** val succ : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec succ = Big_int_Z.succ_big_int

  (** val add :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec add = Big_int_Z.add_big_int

  (** val add_carry :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  and add_carry x y =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (add_carry p q))
        (fun q -> Big_int_Z.mult_int_big_int 2 (add_carry p q))
        (fun _ ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (succ p))
        y)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> Big_int_Z.mult_int_big_int 2 (add_carry p q))
        (fun q ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (add p q))
        (fun _ -> Big_int_Z.mult_int_big_int 2 (succ p))
        y)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (succ q))
        (fun q -> Big_int_Z.mult_int_big_int 2 (succ q))
        (fun _ ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        Big_int_Z.unit_big_int)
        y)
      x

  (** val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec pred_double x =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p ->
      (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      (Big_int_Z.mult_int_big_int 2 p))
      (fun p ->
      (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      (pred_double p))
      (fun _ -> Big_int_Z.unit_big_int)
      x

  type mask = Pos.mask =
  | IsNul
  | IsPos of Big_int_Z.big_int
  | IsNeg

  (** val succ_double_mask : mask -> mask **)

  let succ_double_mask = function
  | IsNul -> IsPos Big_int_Z.unit_big_int
  | IsPos p ->
    IsPos ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      p)
  | IsNeg -> IsNeg

  (** val double_mask : mask -> mask **)

  let double_mask = function
  | IsPos p -> IsPos (Big_int_Z.mult_int_big_int 2 p)
  | x0 -> x0

  (** val double_pred_mask : Big_int_Z.big_int -> mask **)

  let double_pred_mask x =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p -> IsPos (Big_int_Z.mult_int_big_int 2
      (Big_int_Z.mult_int_big_int 2 p)))
      (fun p -> IsPos (Big_int_Z.mult_int_big_int 2
      (pred_double p)))
      (fun _ -> IsNul)
      x

  (** val sub_mask : Big_int_Z.big_int -> Big_int_Z.big_int -> mask **)

  let rec sub_mask x y =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> double_mask (sub_mask p q))
        (fun q -> succ_double_mask (sub_mask p q))
        (fun _ -> IsPos (Big_int_Z.mult_int_big_int 2 p))
        y)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> succ_double_mask (sub_mask_carry p q))
        (fun q -> double_mask (sub_mask p q))
        (fun _ -> IsPos (pred_double p))
        y)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> IsNeg)
        (fun _ -> IsNeg)
        (fun _ -> IsNul)
        y)
      x

  (** val sub_mask_carry : Big_int_Z.big_int -> Big_int_Z.big_int -> mask **)

  and sub_mask_carry x y =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> succ_double_mask (sub_mask_carry p q))
        (fun q -> double_mask (sub_mask p q))
        (fun _ -> IsPos (pred_double p))
        y)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> double_mask (sub_mask_carry p q))
        (fun q -> succ_double_mask (sub_mask_carry p q))
        (fun _ -> double_pred_mask p)
        y)
      (fun _ -> IsNeg)
      x

  (** val sub :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let sub = (fun n m -> Big_int_Z.max_big_int
  Big_int_Z.unit_big_int (Big_int_Z.sub_big_int n m))

  (** val mul :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec mul = Big_int_Z.mult_big_int

  (** val iter : ('a1 -> 'a1) -> 'a1 -> Big_int_Z.big_int -> 'a1 **)

  let rec iter f x n0 =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun n' -> f (iter f (iter f x n') n'))
      (fun n' -> iter f (iter f x n') n')
      (fun _ -> f x)
      n0

  (** val div2 : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let div2 p =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 -> p0)
      (fun p0 -> p0)
      (fun _ -> Big_int_Z.unit_big_int)
      p

  (** val div2_up : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let div2_up p =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 -> succ p0)
      (fun p0 -> p0)
      (fun _ -> Big_int_Z.unit_big_int)
      p

  (** val size_nat : Big_int_Z.big_int -> nat **)

  let rec size_nat p =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 -> S (size_nat p0))
      (fun p0 -> S (size_nat p0))
      (fun _ -> S O)
      p

  (** val compare_cont :
      comparison -> Big_int_Z.big_int -> Big_int_Z.big_int -> comparison **)

  let rec compare_cont = (fun c x y -> let s = Big_int_Z.compare_big_int x y in
  if s = 0 then c else if s < 0 then Lt else Gt)

  (** val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison **)

  let compare = (fun x y -> let s = Big_int_Z.compare_big_int x y in
  if s = 0 then Eq else if s < 0 then Lt else Gt)

  (** val eqb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let rec eqb p q =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q0 -> eqb p0 q0)
        (fun _ -> false)
        (fun _ -> false)
        q)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> false)
        (fun q0 -> eqb p0 q0)
        (fun _ -> false)
        q)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> false)
        (fun _ -> false)
        (fun _ -> true)
        q)
      p

  (** val gcdn :
      nat -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec gcdn n0 a b =
    match n0 with
    | O -> Big_int_Z.unit_big_int
    | S n1 ->
      ((fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
         (fun a' ->
         (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
           (fun b' ->
           match compare a' b' with
           | Eq -> a
           | Lt -> gcdn n1 (sub b' a') a
           | Gt -> gcdn n1 (sub a' b') b)
           (fun b0 -> gcdn n1 a b0)
           (fun _ -> Big_int_Z.unit_big_int)
           b)
         (fun a0 ->
         (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
           (fun _ -> gcdn n1 a0 b)
           (fun b0 -> Big_int_Z.mult_int_big_int 2 (gcdn n1 a0 b0))
           (fun _ -> Big_int_Z.unit_big_int)
           b)
         (fun _ -> Big_int_Z.unit_big_int)
         a)

  (** val gcd :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let gcd a b =
    gcdn (Coq__1.add (size_nat a) (size_nat b)) a b

  (** val iter_op : ('a1 -> 'a1 -> 'a1) -> Big_int_Z.big_int -> 'a1 -> 'a1 **)

  let rec iter_op op p a =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 -> op a (iter_op op p0 (op a a)))
      (fun p0 -> iter_op op p0 (op a a))
      (fun _ -> a)
      p

  (** val to_nat : Big_int_Z.big_int -> nat **)

  let to_nat x =
    iter_op Coq__1.add x (S O)

  (** val of_succ_nat : nat -> Big_int_Z.big_int **)

  let rec of_succ_nat = function
  | O -> Big_int_Z.unit_big_int
  | S x -> succ (of_succ_nat x)

  (** val eq_dec : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let rec eq_dec p x0 =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun p1 -> eq_dec p0 p1)
        (fun _ -> false)
        (fun _ -> false)
        x0)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> false)
        (fun p1 -> eq_dec p0 p1)
        (fun _ -> false)
        x0)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> false)
        (fun _ -> false)
        (fun _ -> true)
        x0)
      p
 end

module Z =
 struct
  (** val double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let double x =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.zero_big_int)
      (fun p -> (Big_int_Z.mult_int_big_int 2 p))
      (fun p -> Big_int_Z.minus_big_int (Big_int_Z.mult_int_big_int 2 p))
      x

  (** val succ_double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let succ_double x =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.unit_big_int)
      (fun p ->
      ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      p))
      (fun p -> Big_int_Z.minus_big_int (Coq_Pos.pred_double p))
      x

  (** val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let pred_double x =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.minus_big_int Big_int_Z.unit_big_int)
      (fun p -> (Coq_Pos.pred_double p))
      (fun p -> Big_int_Z.minus_big_int
      ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x)) p))
      x

  (** val pos_sub :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec pos_sub x y =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> double (pos_sub p q))
        (fun q -> succ_double (pos_sub p q))
        (fun _ -> (Big_int_Z.mult_int_big_int 2 p))
        y)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> pred_double (pos_sub p q))
        (fun q -> double (pos_sub p q))
        (fun _ -> (Coq_Pos.pred_double p))
        y)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> Big_int_Z.minus_big_int (Big_int_Z.mult_int_big_int 2
        q))
        (fun q -> Big_int_Z.minus_big_int (Coq_Pos.pred_double q))
        (fun _ -> Big_int_Z.zero_big_int)
        y)
      x

  (** val add :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let add = Big_int_Z.add_big_int

  (** val opp : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let opp = Big_int_Z.minus_big_int

  (** val sub :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let sub = Big_int_Z.sub_big_int

  (** val mul :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let mul = Big_int_Z.mult_big_int

  (** val pow_pos :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let pow_pos z0 =
    Coq_Pos.iter (mul z0) Big_int_Z.unit_big_int

  (** val pow :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let pow x y =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.unit_big_int)
      (fun p -> pow_pos x p)
      (fun _ -> Big_int_Z.zero_big_int)
      y

  (** val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison **)

  let compare = (fun x y -> let s = Big_int_Z.compare_big_int x y in
  if s = 0 then Eq else if s < 0 then Lt else Gt)

  (** val leb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let leb x y =
    match compare x y with
    | Gt -> false
    | _ -> true

  (** val ltb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let ltb x y =
    match compare x y with
    | Lt -> true
    | _ -> false

  (** val eqb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let eqb = Big_int_Z.eq_big_int

  (** val max :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let max = Big_int_Z.max_big_int

  (** val min :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let min = Big_int_Z.min_big_int

  (** val abs : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let abs = Big_int_Z.abs_big_int

  (** val to_nat : Big_int_Z.big_int -> nat **)

  let to_nat z0 =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> O)
      (fun p -> Coq_Pos.to_nat p)
      (fun _ -> O)
      z0

  (** val of_nat : nat -> Big_int_Z.big_int **)

  let of_nat = function
  | O -> Big_int_Z.zero_big_int
  | S n1 -> (Coq_Pos.of_succ_nat n1)

  (** val of_N : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let of_N = (fun p -> p)

  (** val to_pos : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let to_pos z0 =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.unit_big_int)
      (fun p -> p)
      (fun _ -> Big_int_Z.unit_big_int)
      z0

  (** val pos_div_eucl :
      Big_int_Z.big_int -> Big_int_Z.big_int ->
      Big_int_Z.big_int * Big_int_Z.big_int **)

  let rec pos_div_eucl a b =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun a' ->
      let (q, r) = pos_div_eucl a' b in
      let r' =
        add (mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) r)
          Big_int_Z.unit_big_int
      in
      if ltb r' b
      then ((mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) q), r')
      else ((add
              (mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) q)
              Big_int_Z.unit_big_int), (sub r' b)))
      (fun a' ->
      let (q, r) = pos_div_eucl a' b in
      let r' = mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) r in
      if ltb r' b
      then ((mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) q), r')
      else ((add
              (mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) q)
              Big_int_Z.unit_big_int), (sub r' b)))
      (fun _ ->
      if leb (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) b
      then (Big_int_Z.zero_big_int, Big_int_Z.unit_big_int)
      else (Big_int_Z.unit_big_int, Big_int_Z.zero_big_int))
      a

  (** val div_eucl :
      Big_int_Z.big_int -> Big_int_Z.big_int ->
      Big_int_Z.big_int * Big_int_Z.big_int **)

  let div_eucl = Big_int_Z.(fun x y ->
  match sign_big_int y with
  | 0 -> (zero_big_int, x)
  | 1 -> quomod_big_int x y
  | _ -> let (q, r) = quomod_big_int (add_int_big_int (-1) x) y in
          (add_int_big_int (-1) q, add_big_int (add_int_big_int 1 y) r))

  (** val div :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let div = Big_int_Z.(fun x y ->
  match sign_big_int y with
  | 0 -> zero_big_int
  | 1 -> div_big_int x y
  | _ -> add_int_big_int (-1) (div_big_int (add_int_big_int (-1) x) y))

  (** val modulo :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let modulo = Big_int_Z.(fun x y ->
  match sign_big_int y with
  | 0 -> x
  | 1 -> mod_big_int x y
  | _ -> add_big_int y (add_int_big_int 1 (mod_big_int (add_int_big_int (-1) x) y)))

  (** val div2 : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let div2 z0 =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.zero_big_int)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> (Coq_Pos.div2 p))
        (fun _ -> (Coq_Pos.div2 p))
        (fun _ -> Big_int_Z.zero_big_int)
        p)
      (fun p -> Big_int_Z.minus_big_int (Coq_Pos.div2_up p))
      z0

  (** val gcd :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let gcd a b =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> abs b)
      (fun a0 ->
      (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
        (fun _ -> abs a)
        (fun b0 -> (Coq_Pos.gcd a0 b0))
        (fun b0 -> (Coq_Pos.gcd a0 b0))
        b)
      (fun a0 ->
      (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
        (fun _ -> abs a)
        (fun b0 -> (Coq_Pos.gcd a0 b0))
        (fun b0 -> (Coq_Pos.gcd a0 b0))
        b)
      a

  (** val shiftl :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let shiftl = Big_int_Z.(fun x y ->
  let y = int_of_big_int y in
  if y < 0 then shift_right_big_int x (-y)
  else shift_left_big_int x y)

  (** val eq_dec : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let eq_dec = Big_int_Z.eq_big_int
 end

(** val hd : 'a1 -> 'a1 list -> 'a1 **)

let hd default = function
| [] -> default
| x :: _ -> x

(** val tl : 'a1 list -> 'a1 list **)

let tl = function
| [] -> []
| _ :: m -> m

(** val in_dec : ('a1 -> 'a1 -> bool) -> 'a1 -> 'a1 list -> bool **)

let rec in_dec h a = function
| [] -> false
| y :: l0 -> let s = h y a in if s then true else in_dec h a l0

(** val nth : nat -> 'a1 list -> 'a1 -> 'a1 **)

let rec nth n0 l default =
  match n0 with
  | O -> (match l with
          | [] -> default
          | x :: _ -> x)
  | S m -> (match l with
            | [] -> default
            | _ :: t0 -> nth m t0 default)

(** val nth_error : 'a1 list -> nat -> 'a1 option **)

let rec nth_error l = function
| O -> (match l with
        | [] -> None
        | x :: _ -> Some x)
| S n1 -> (match l with
           | [] -> None
           | _ :: l0 -> nth_error l0 n1)

(** val rev : 'a1 list -> 'a1 list **)

let rec rev = function
| [] -> []
| x :: l' -> app (rev l') (x :: [])

(** val concat : 'a1 list list -> 'a1 list **)

let rec concat = function
| [] -> []
| x :: l0 -> app x (concat l0)

(** val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let rec map f = function
| [] -> []
| a :: t0 -> (f a) :: (map f t0)

(** val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list **)

let rec flat_map f = function
| [] -> []
| x :: t0 -> app (f x) (flat_map f t0)

(** val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1 **)

let rec fold_left f l a0 =
  match l with
  | [] -> a0
  | b :: t0 -> fold_left f t0 (f a0 b)

(** val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1 **)

let rec fold_right f a0 = function
| [] -> a0
| b :: t0 -> f b (fold_right f a0 t0)

(** val existsb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec existsb f = function
| [] -> false
| a :: l0 -> (||) (f a) (existsb f l0)

(** val forallb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec forallb f = function
| [] -> true
| a :: l0 -> (&&) (f a) (forallb f l0)

(** val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list **)

let rec filter f = function
| [] -> []
| x :: l0 -> if f x then x :: (filter f l0) else filter f l0

(** val find : ('a1 -> bool) -> 'a1 list -> 'a1 option **)

let rec find f = function
| [] -> None
| x :: tl0 -> if f x then Some x else find f tl0

(** val combine : 'a1 list -> 'a2 list -> ('a1 * 'a2) list **)

let rec combine l l' =
  match l with
  | [] -> []
  | x :: tl0 ->
    (match l' with
     | [] -> []
     | y :: tl' -> (x, y) :: (combine tl0 tl'))

(** val nodup : ('a1 -> 'a1 -> bool) -> 'a1 list -> 'a1 list **)

let rec nodup decA = function
| [] -> []
| x :: xs -> if in_dec decA x xs then nodup decA xs else x :: (nodup decA xs)

(** val seq : nat -> nat -> nat list **)

let rec seq start = function
| O -> []
| S len0 -> start :: (seq (S start) len0)

type label = Big_int_Z.big_int

(** val star : label **)

let star =
  Big_int_Z.zero_big_int

type cell = (label * Big_int_Z.big_int) list

(** val at_level : nat -> cell -> label * Big_int_Z.big_int **)

let at_level l c =
  nth l c (star, Big_int_Z.zero_big_int)

type row = cell list * Big_int_Z.big_int

type record = label list * Big_int_Z.big_int

type vector = nat list

(** val shown : vector -> cell list -> label list **)

let shown v cells0 =
  map (fun pat -> let (l, c) = pat in fst (at_level l c)) (combine v cells0)

(** val cost : vector -> cell list -> Big_int_Z.big_int **)

let cost v cells0 =
  fold_right Z.add Big_int_Z.zero_big_int
    (map (fun pat -> let (l, c) = pat in snd (at_level l c))
      (combine v cells0))

type requirement =
| Shares of (Big_int_Z.big_int -> Big_int_Z.big_int)
   * (Big_int_Z.big_int -> Big_int_Z.big_int) * Big_int_Z.big_int
| Distinct of (Big_int_Z.big_int -> Big_int_Z.big_int) * Big_int_Z.big_int
| Entropy of (Big_int_Z.big_int -> Big_int_Z.big_int) * Big_int_Z.big_int
   * Big_int_Z.big_int
| Recursive of (Big_int_Z.big_int -> Big_int_Z.big_int) * nat
   * Big_int_Z.big_int * Big_int_Z.big_int
| Joint of (Big_int_Z.big_int -> Big_int_Z.big_int) list * nat
| Close of (Big_int_Z.big_int -> Big_int_Z.big_int)
   * (Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int)
   * Big_int_Z.big_int * Big_int_Z.big_int

type policy = { mask0 : vector list; k : Big_int_Z.big_int; suppress : 
                bool; required : requirement list }

module Sort =
 functor (X:TotalLeBool') ->
 struct
  (** val merge : X.t list -> X.t list -> X.t list **)

  let rec merge l1 l2 =
    let rec merge_aux l3 =
      match l1 with
      | [] -> l3
      | a1 :: l1' ->
        (match l3 with
         | [] -> l1
         | a2 :: l2' ->
           if X.leb a1 a2 then a1 :: (merge l1' l3) else a2 :: (merge_aux l2'))
    in merge_aux l2

  (** val merge_list_to_stack :
      X.t list option list -> X.t list -> X.t list option list **)

  let rec merge_list_to_stack stack l =
    match stack with
    | [] -> (Some l) :: []
    | y :: stack' ->
      (match y with
       | Some l' -> None :: (merge_list_to_stack stack' (merge l' l))
       | None -> (Some l) :: stack')

  (** val merge_stack : X.t list option list -> X.t list **)

  let rec merge_stack = function
  | [] -> []
  | y :: stack' ->
    (match y with
     | Some l -> merge l (merge_stack stack')
     | None -> merge_stack stack')

  (** val iter_merge : X.t list option list -> X.t list -> X.t list **)

  let rec iter_merge stack = function
  | [] -> merge_stack stack
  | a :: l' -> iter_merge (merge_list_to_stack stack (a :: [])) l'

  (** val sort : X.t list -> X.t list **)

  let sort =
    iter_merge []

  (** val flatten_stack : X.t list option list -> X.t list **)

  let rec flatten_stack = function
  | [] -> []
  | o :: stack' ->
    (match o with
     | Some l -> app l (flatten_stack stack')
     | None -> flatten_stack stack')
 end

(** val sum : ('a1 -> Big_int_Z.big_int) -> 'a1 list -> Big_int_Z.big_int **)

let rec sum f = function
| [] -> Big_int_Z.zero_big_int
| a :: l' -> Z.add (f a) (sum f l')

(** val number_of : ('a1 -> bool) -> 'a1 list -> Big_int_Z.big_int **)

let number_of b l =
  sum (fun a ->
    if b a then Big_int_Z.unit_big_int else Big_int_Z.zero_big_int) l

type 'a trie =
| Tip
| Fork of 'a trie * 'a list * 'a trie

(** val insert : Big_int_Z.big_int -> 'a1 -> 'a1 trie -> 'a1 trie **)

let rec insert q a t0 =
  (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
    (fun q0 ->
    match t0 with
    | Tip -> Fork (Tip, [], (insert q0 a Tip))
    | Fork (l, v, r) -> Fork (l, v, (insert q0 a r)))
    (fun q0 ->
    match t0 with
    | Tip -> Fork ((insert q0 a Tip), [], Tip)
    | Fork (l, v, r) -> Fork ((insert q0 a l), v, r))
    (fun _ ->
    match t0 with
    | Tip -> Fork (Tip, (a :: []), Tip)
    | Fork (l, v, r) -> Fork (l, (a :: v), r))
    q

(** val get : Big_int_Z.big_int -> 'a1 trie -> 'a1 list **)

let rec get q = function
| Tip -> []
| Fork (l, v, r) ->
  ((fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
     (fun q0 -> get q0 r)
     (fun q0 -> get q0 l)
     (fun _ -> v)
     q)

(** val part_by : ('a1 -> Big_int_Z.big_int) -> 'a1 list -> 'a1 trie **)

let part_by key0 l =
  fold_right (fun a t0 -> insert (key0 a) a t0) Tip l

(** val total :
    ('a1 list -> Big_int_Z.big_int) -> 'a1 trie -> Big_int_Z.big_int **)

let rec total f = function
| Tip -> Big_int_Z.zero_big_int
| Fork (l, v, r) -> Z.add (Z.add (total f l) (f v)) (total f r)

(** val gather :
    ('a1 list -> 'a2 list) -> 'a1 trie -> 'a2 list -> 'a2 list **)

let rec gather f t0 more =
  match t0 with
  | Tip -> more
  | Fork (l, v, r) ->
    gather f l
      (match v with
       | [] -> gather f r more
       | _ :: _ -> app (f v) (gather f r more))

(** val product :
    ('a1 -> Big_int_Z.big_int) -> 'a1 list -> Big_int_Z.big_int **)

let rec product f = function
| [] -> Big_int_Z.unit_big_int
| a :: l' -> Z.mul (f a) (product f l')

(** val fine : Big_int_Z.big_int **)

let fine =
  Z.shiftl Big_int_Z.unit_big_int (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
    Big_int_Z.unit_big_int))))))

(** val times_up :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let times_up x y =
  Z.opp (Z.div (Z.opp (Z.mul x y)) fine)

(** val times_down :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let times_down x y =
  Z.div (Z.mul x y) fine

(** val power :
    (Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int) ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let rec power by_ base0 q =
  (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
    (fun q' ->
    let half = power by_ base0 q' in by_ base0 (by_ half half))
    (fun q' -> let half = power by_ base0 q' in by_ half half)
    (fun _ -> base0)
    q

(** val log_holds :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> bool **)

let log_holds base0 z0 n0 d =
  (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
    (fun _ -> Z.leb d n0)
    (fun q ->
    Z.leb (Z.mul (power times_up base0 q) d) (Z.mul n0 fine))
    (fun q -> Z.leb (Z.mul fine d) (Z.mul (power times_down base0 q) n0))
    z0

(** val number_at :
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int ->
    Big_int_Z.big_int **)

let number_at numbers0 x =
  sum (fun n0 -> if Z.eqb (fst n0) x then snd n0 else Big_int_Z.zero_big_int)
    numbers0

type multiplier =
| OfShares of (Big_int_Z.big_int * Big_int_Z.big_int) list
| OfClose of Big_int_Z.big_int * Big_int_Z.big_int
   * (Big_int_Z.big_int * Big_int_Z.big_int) list
| OfEntropy of Big_int_Z.big_int * Big_int_Z.big_int * Big_int_Z.big_int
   * (Big_int_Z.big_int * Big_int_Z.big_int) list
   * (Big_int_Z.big_int * Big_int_Z.big_int) list
| OfRecursive of ((Big_int_Z.big_int * Big_int_Z.big_int) * Big_int_Z.big_int
                 list) list

type charge = { reads : (Big_int_Z.big_int -> Big_int_Z.big_int);
                numbers : (Big_int_Z.big_int * Big_int_Z.big_int) list;
                constant : Big_int_Z.big_int }

(** val charge_at : charge -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let charge_at c o =
  Z.add (number_at c.numbers (c.reads o)) c.constant

(** val shares_constant :
    (Big_int_Z.big_int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int **)

let shares_constant share whole numbers0 =
  Z.div
    (Z.opp
      (sum (fun n0 -> Z.mul (Z.of_N (share (fst n0))) (snd n0)) numbers0))
    whole

(** val close_constant :
    (Big_int_Z.big_int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int list ->
    Big_int_Z.big_int **)

let close_constant value0 most whole each parts numbers0 table =
  let n0 = Z.of_nat (length table) in
  Z.div
    (Z.opp
      (Z.add
        (Z.mul (Z.mul parts whole)
          (sum (fun o -> number_at numbers0 (value0 o)) table))
        (Z.mul (Z.mul each most) n0))) (Z.mul (Z.mul n0 parts) whole)

(** val close_holds :
    (Big_int_Z.big_int -> Big_int_Z.big_int) -> (Big_int_Z.big_int ->
    Big_int_Z.big_int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    Big_int_Z.big_int list -> bool **)

let close_holds value0 apart0 each parts numbers0 table =
  let values0 = nodup Z.eq_dec (map value0 table) in
  forallb (fun x ->
    forallb (fun z0 ->
      Z.leb
        (Z.mul parts (Z.sub (number_at numbers0 x) (number_at numbers0 z0)))
        (Z.mul each (apart0 x z0))) values0) values0

(** val entropy_holds :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int list ->
    bool **)

let entropy_holds base0 l whole s weights logs values0 =
  forallb (fun x ->
    (&&) (Z.leb Big_int_Z.zero_big_int (number_at weights x))
      (log_holds base0 (number_at logs x) (Z.mul l (number_at weights x))
        (Z.mul whole s))) values0

(** val recursive_term :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    ((Big_int_Z.big_int * Big_int_Z.big_int) * Big_int_Z.big_int list) ->
    Big_int_Z.big_int **)

let recursive_term c whole x t0 =
  Z.mul (fst (fst t0))
    (Z.sub
      (Z.add
        (if Z.eqb (snd (fst t0)) x then whole else Big_int_Z.zero_big_int)
        (if existsb (Z.eqb x) (snd t0) then c else Big_int_Z.zero_big_int)) c)

(** val by_value :
    Big_int_Z.big_int list -> (Big_int_Z.big_int -> Big_int_Z.big_int) ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list **)

let by_value values0 f =
  map (fun x -> (x, (f x))) values0

(** val charge_of :
    Big_int_Z.big_int list -> requirement -> multiplier -> charge option **)

let charge_of table q given =
  match q with
  | Shares (value0, share, whole) ->
    (match given with
     | OfShares numbers0 ->
       if (&&) (Z.ltb Big_int_Z.zero_big_int whole)
            (forallb (fun n0 -> Z.leb Big_int_Z.zero_big_int (snd n0))
              numbers0)
       then Some { reads = value0; numbers = numbers0; constant =
              (shares_constant share whole numbers0) }
       else None
     | _ -> None)
  | Entropy (value0, l, whole) ->
    (match given with
     | OfEntropy (each, parts, base0, weights, logs) ->
       let values0 = nodup Z.eq_dec (map value0 table) in
       let s = sum (number_at weights) values0 in
       if (&&)
            ((&&)
              ((&&)
                ((&&) (Z.leb Big_int_Z.zero_big_int each)
                  (Z.ltb Big_int_Z.zero_big_int parts)) (Z.ltb fine base0))
              (Z.ltb Big_int_Z.zero_big_int (Z.mul (Z.of_N whole) s)))
            (entropy_holds base0 (Z.of_N l) (Z.of_N whole) s weights logs
              values0)
       then Some { reads = value0; numbers =
              (by_value values0 (fun x ->
                Z.div (Z.mul each (number_at logs x)) parts)); constant =
              Big_int_Z.zero_big_int }
       else None
     | _ -> None)
  | Recursive (value0, l, c, whole) ->
    (match given with
     | OfRecursive terms0 ->
       let values0 = nodup Z.eq_dec (map value0 table) in
       let distinct0 =
         map (fun t0 -> ((fst t0), (nodup Z.eq_dec (snd t0)))) terms0
       in
       if (&&) (Z.ltb Big_int_Z.zero_big_int whole)
            (forallb (fun t0 ->
              (&&) (Z.leb Big_int_Z.zero_big_int (fst (fst t0)))
                (Nat.ltb (length (snd t0)) l)) distinct0)
       then Some { reads = value0; numbers =
              (by_value values0 (fun x ->
                Z.div (sum (recursive_term c whole x) distinct0) whole));
              constant = Big_int_Z.zero_big_int }
       else None
     | _ -> None)
  | Close (value0, apart0, most, whole) ->
    (match given with
     | OfClose (each, parts, numbers0) ->
       if (&&)
            ((&&)
              ((&&) (Z.ltb Big_int_Z.zero_big_int whole)
                (Z.ltb Big_int_Z.zero_big_int parts))
              (Z.leb Big_int_Z.zero_big_int each))
            (close_holds value0 apart0 each parts numbers0 table)
       then Some { reads = value0; numbers = numbers0; constant =
              (close_constant value0 most whole each parts numbers0 table) }
       else None
     | _ -> None)
  | _ -> None

type type0 = { cells : cell list; count : Big_int_Z.big_int;
               price : Big_int_Z.big_int; part : Big_int_Z.big_int;
               place : Big_int_Z.big_int; other : Big_int_Z.big_int }

(** val rows_of : type0 list -> Big_int_Z.big_int **)

let rows_of types =
  sum (fun i -> Z.max Big_int_Z.zero_big_int i.count) types

(** val vector_eqb : vector -> vector -> bool **)

let rec vector_eqb v u =
  match v with
  | [] -> (match u with
           | [] -> true
           | _ :: _ -> false)
  | a :: v' ->
    (match u with
     | [] -> false
     | b :: u' -> (&&) (Nat.eqb a b) (vector_eqb v' u'))

(** val labels_eqb : label list -> label list -> bool **)

let rec labels_eqb s t0 =
  match s with
  | [] -> (match t0 with
           | [] -> true
           | _ :: _ -> false)
  | a :: s' ->
    (match t0 with
     | [] -> false
     | b :: t' -> (&&) (Z.eqb a b) (labels_eqb s' t'))

(** val shows : vector -> type0 -> label list **)

let shows v i =
  shown v i.cells

(** val pays : vector -> type0 -> Big_int_Z.big_int **)

let pays v i =
  cost v i.cells

(** val alike : vector -> label list -> type0 -> bool **)

let alike v s i =
  labels_eqb (shows v i) s

(** val stars : label list -> bool **)

let stars s =
  forallb (fun l -> Z.eqb l star) s

(** val free : policy -> label list -> bool **)

let free p s =
  (&&) p.suppress (stars s)

(** val places : label -> nat -> cell -> (nat * Big_int_Z.big_int) list **)

let rec places l from = function
| [] -> []
| p :: c' ->
  let (x, z0) = p in
  if Z.eqb x l
  then (from, z0) :: (places l (S from) c')
  else places l (S from) c'

(** val places_eqb :
    (nat * Big_int_Z.big_int) list -> (nat * Big_int_Z.big_int) list -> bool **)

let rec places_eqb x y =
  match x with
  | [] -> (match y with
           | [] -> true
           | _ :: _ -> false)
  | p :: x' ->
    let (l, z0) = p in
    (match y with
     | [] -> false
     | p0 :: y' ->
       let (l', z') = p0 in
       (&&) ((&&) (Nat.eqb l l') (Z.eqb z0 z')) (places_eqb x' y'))

(** val key : label -> Big_int_Z.big_int **)

let key l =
  Z.to_pos (Z.add l Big_int_Z.unit_big_int)

(** val column_tidy : cell list -> bool **)

let column_tidy column =
  let known =
    part_by (fun lc -> key (fst lc))
      (flat_map (fun c -> map (fun x -> ((fst x), (places (fst x) O c))) c)
        column)
  in
  forallb (fun c ->
    forallb (fun x ->
      (&&)
        ((&&) (Z.leb Big_int_Z.zero_big_int (fst x))
          (Z.leb Big_int_Z.zero_big_int (snd x)))
        (match get (key (fst x)) known with
         | [] -> false
         | p :: _ ->
           let (_, there) = p in places_eqb (places (fst x) O c) there)) c)
    column

(** val one_height : cell list -> bool **)

let one_height column =
  forallb (fun c -> Nat.eqb (length c) (length (hd [] column))) column

(** val tidy : nat -> cell list list -> bool **)

let rec tidy m rows0 =
  match m with
  | O -> forallb (fun r -> match r with
                           | [] -> true
                           | _ :: _ -> false) rows0
  | S m' ->
    (&&)
      ((&&)
        (forallb (fun r -> match r with
                           | [] -> false
                           | _ :: _ -> true) rows0)
        ((&&) (one_height (map (hd []) rows0))
          (column_tidy (map (hd []) rows0)))) (tidy m' (map tl rows0))

type instance = { paid : Big_int_Z.big_int; blank : bool; at_vector : 
                  vector; members : type0 list }

type some = (cell list * type0) list

(** val level_key : vector -> Big_int_Z.big_int **)

let level_key v =
  Coq_Pos.of_succ_nat (hd O v)

(** val label_key : nat -> (cell list * type0) -> Big_int_Z.big_int **)

let label_key l x =
  key (fst (at_level l (hd [] (fst x))))

(** val popped : (cell list * type0) -> cell list * type0 **)

let popped x =
  ((tl (fst x)), (snd x))

(** val walk :
    (bool -> Big_int_Z.big_int -> type0 list -> bool) -> nat -> vector list
    -> bool -> Big_int_Z.big_int -> vector -> some -> instance list **)

let rec walk stop0 m mk dark sofar path g =
  if stop0 dark sofar (map snd g)
  then []
  else (match m with
        | O ->
          (match mk with
           | [] -> []
           | _ :: _ ->
             (match g with
              | [] -> []
              | _ :: _ ->
                { paid = sofar; blank = dark; at_vector = (rev path);
                  members = (map snd g) } :: []))
        | S m' ->
          gather (fun vs ->
            let l = hd O (hd [] vs) in
            let below0 = map tl vs in
            gather (fun g' ->
              let x =
                at_level l
                  (hd []
                    (fst
                      (hd ([], { cells = []; count = Big_int_Z.zero_big_int;
                        price = Big_int_Z.zero_big_int; part =
                        Big_int_Z.zero_big_int; place =
                        Big_int_Z.zero_big_int; other =
                        Big_int_Z.zero_big_int }) g')))
              in
              walk stop0 m' below0 ((&&) dark (Z.eqb (fst x) star))
                (Z.add sofar (snd x)) (l :: path) (map popped g'))
              (part_by (label_key l) g) []) (part_by level_key mk) [])

(** val never : bool -> Big_int_Z.big_int -> type0 list -> bool **)

let never _ _ _ =
  false

(** val group : type0 list -> vector -> label list -> type0 list **)

let group types v s =
  filter (alike v s) types

(** val same_at : nat -> cell list -> bool **)

let same_at x = function
| [] -> true
| c :: column' ->
  let l = fst (at_level x c) in
  forallb (fun d -> Z.eqb (fst (at_level x d)) l) column'

(** val climb : nat -> nat -> cell list -> nat **)

let rec climb up x column =
  match up with
  | O -> x
  | S up' -> if same_at x column then x else climb up' (S x) column

(** val joint : vector -> cell list list -> vector **)

let rec joint v rows0 =
  match v with
  | [] -> []
  | l :: v' -> (climb l O (map (hd []) rows0)) :: (joint v' (map tl rows0))

(** val above : vector -> vector -> bool **)

let rec above v u =
  match v with
  | [] -> true
  | a :: v' ->
    (match u with
     | [] -> true
     | b :: u' -> (&&) (Nat.leb b a) (above v' u'))

(** val code : vector -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let rec code v before =
  match v with
  | [] -> before
  | l :: v' ->
    code v'
      (Z.add
        (Z.mul before (Big_int_Z.mult_int_big_int 2
          (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
          (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
          (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int)))))))
        (Z.of_nat l))

(** val code_key : vector -> Big_int_Z.big_int **)

let code_key v =
  Z.to_pos (code v Big_int_Z.unit_big_int)

(** val alike_all : vector -> type0 list -> bool **)

let alike_all v = function
| [] -> true
| i :: g' -> let s = shows v i in forallb (alike v s) g'

(** val allowed : vector trie -> vector -> bool **)

let allowed dictionary0 v =
  existsb (vector_eqb v) (get (code_key v) dictionary0)

(** val rank :
    Big_int_Z.big_int -> (vector -> Big_int_Z.big_int) -> vector -> type0 ->
    Big_int_Z.big_int **)

let rank base0 ordinal0 v i =
  Z.max Big_int_Z.zero_big_int (Z.add (Z.mul (pays v i) base0) (ordinal0 v))

(** val least_rank :
    Big_int_Z.big_int -> (vector -> Big_int_Z.big_int) -> type0 -> vector ->
    vector -> Big_int_Z.big_int -> vector list -> vector **)

let rec least_rank base0 ordinal0 i d best0 value0 = function
| [] -> best0
| u :: l' ->
  if above u d
  then let r = rank base0 ordinal0 u i in
       if Z.ltb r value0
       then least_rank base0 ordinal0 i d u r l'
       else least_rank base0 ordinal0 i d best0 value0 l'
  else least_rank base0 ordinal0 i d best0 value0 l'

(** val first_above :
    vector list -> vector list -> bool -> Big_int_Z.big_int -> (vector ->
    Big_int_Z.big_int) -> vector -> vector -> type0 -> vector **)

let first_above vectors in_order0 one_cost0 base0 ordinal0 d v i =
  if one_cost0
  then (match find (fun u -> above u d) in_order0 with
        | Some u -> u
        | None -> v)
  else least_rank base0 ordinal0 i d v (rank base0 ordinal0 v i) vectors

(** val skip :
    vector list -> vector trie -> vector list -> bool -> Big_int_Z.big_int ->
    (vector -> Big_int_Z.big_int) -> bool -> vector -> type0 list -> bool **)

let skip vectors dictionary0 in_order0 one_cost0 base0 ordinal0 dark v g =
  if dark
  then false
  else (match g with
        | [] -> false
        | i :: _ ->
          let d = joint v (map (fun t0 -> t0.cells) g) in
          let q =
            if vector_eqb d v
            then v
            else if allowed dictionary0 d
                 then d
                 else first_above vectors in_order0 one_cost0 base0 ordinal0
                        d v i
          in
          if vector_eqb q v
          then false
          else (&&) ((&&) (allowed dictionary0 q) (alike_all q g))
                 (forallb (fun i0 ->
                   (&&) (Z.leb (pays q i0) (pays v i0))
                     (Z.ltb (rank base0 ordinal0 q i0)
                       (rank base0 ordinal0 v i0))) g))

module TermOrder =
 struct
  type t = Big_int_Z.big_int * Big_int_Z.big_int

  (** val leb : t -> t -> bool **)

  let leb x y =
    Z.leb (fst x) (fst y)
 end

module TermSort = Sort(TermOrder)

(** val nth_term :
    Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    Big_int_Z.big_int **)

let rec nth_term n0 = function
| [] -> Big_int_Z.zero_big_int
| p :: ts' ->
  let (d, c) = p in if Z.leb n0 c then d else nth_term (Z.sub n0 c) ts'

(** val hint :
    Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    Big_int_Z.big_int **)

let hint n0 ts =
  if Z.leb n0 Big_int_Z.zero_big_int
  then Big_int_Z.zero_big_int
  else nth_term n0 (TermSort.sort ts)

(** val below :
    Big_int_Z.big_int -> Big_int_Z.big_int ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int **)

let below theta n0 ts =
  Z.sub (Z.mul n0 theta)
    (sum (fun x ->
      Z.mul (snd x) (Z.max Big_int_Z.zero_big_int (Z.sub theta (fst x)))) ts)

(** val least :
    Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    Big_int_Z.big_int **)

let least n0 ts =
  let n' = Z.min n0 (sum snd ts) in
  below (Z.max Big_int_Z.zero_big_int (hint n' ts)) n' ts

(** val negative :
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int **)

let negative ts =
  sum (fun x -> Z.mul (snd x) (Z.min Big_int_Z.zero_big_int (fst x))) ts

(** val terms :
    (type0 -> Big_int_Z.big_int) -> type0 list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list **)

let terms term g =
  map (fun i -> ((term i), (Z.max Big_int_Z.zero_big_int i.count))) g

(** val decorated : type0 list -> some **)

let decorated ts =
  map (fun i -> (i.cells, i)) ts

(** val part_key : type0 -> Big_int_Z.big_int **)

let part_key i =
  Z.to_pos (Z.add i.part Big_int_Z.unit_big_int)

(** val one_part : type0 list -> bool **)

let one_part = function
| [] -> true
| i :: g' -> forallb (fun j -> Coq_Pos.eqb (part_key i) (part_key j)) g'

(** val few : Big_int_Z.big_int -> type0 list -> bool **)

let few n0 ts =
  Z.ltb (rows_of ts) n0

(** val gcd_cell : cell -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let gcd_cell c n0 =
  fold_right (fun x n1 -> Z.gcd (snd x) n1) n0 c

(** val gcd_cells : cell list -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let gcd_cells cs n0 =
  fold_right gcd_cell n0 cs

(** val step_of : type0 list -> Big_int_Z.big_int **)

let step_of types =
  Z.max Big_int_Z.unit_big_int
    (fold_right (fun i n0 -> gcd_cells i.cells n0) Big_int_Z.zero_big_int
      types)

(** val rounded_up :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int **)

let rounded_up value0 parts step =
  Z.mul (Z.opp (Z.div (Z.opp value0) (Z.mul parts step))) step

(** val is_hub : vector option -> vector -> bool **)

let is_hub hub v =
  match hub with
  | Some h -> vector_eqb v h
  | None -> false

(** val dear :
    (type0 -> Big_int_Z.big_int) -> Big_int_Z.big_int -> type0 list -> bool **)

let dear asks q ts =
  forallb (fun i -> Z.leb (asks i) q) ts

(** val stop :
    policy -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int) -> bool ->
    Big_int_Z.big_int -> type0 list -> bool **)

let stop p parts asks dark z0 ts =
  if dear asks (Z.mul parts z0) ts
  then true
  else if dark then false else few p.k ts

(** val stop_few :
    policy -> bool -> Big_int_Z.big_int -> type0 list -> bool **)

let stop_few p dark _ ts =
  if dark then false else few p.k ts

(** val adds :
    policy -> Big_int_Z.big_int -> (vector -> type0 list -> bool) -> (vector
    -> type0 list -> bool) -> (type0 -> Big_int_Z.big_int) -> bool ->
    instance -> Big_int_Z.big_int **)

let adds p parts skips0 aside asks unneeding g =
  let q = Z.mul parts g.paid in
  let ts = terms (fun i -> Z.sub q (asks i)) g.members in
  if (||) g.blank unneeding
  then negative ts
  else if few p.k g.members
       then Big_int_Z.zero_big_int
       else if existsb (fun x -> Z.ltb (fst x) Big_int_Z.zero_big_int) ts
            then let w = least p.k ts in
                 if Z.ltb w Big_int_Z.zero_big_int
                 then if (||) (aside g.at_vector g.members)
                           (skips0 g.at_vector g.members)
                      then Big_int_Z.zero_big_int
                      else w
                 else Big_int_Z.zero_big_int
            else Big_int_Z.zero_big_int

(** val value :
    policy -> nat -> vector list -> Big_int_Z.big_int -> vector option ->
    (vector -> type0 list -> bool) -> (vector -> type0 list -> bool) ->
    (type0 -> Big_int_Z.big_int) -> type0 list -> Big_int_Z.big_int **)

let value p m vectors parts hub skips0 aside asks ts =
  Z.add
    (Z.add
      (sum (fun i -> Z.mul (Z.max Big_int_Z.zero_big_int i.count) (asks i))
        ts)
      (sum (adds p parts skips0 aside asks false)
        (walk (stop p parts asks) m
          (filter (fun v -> negb (is_hub hub v)) vectors) p.suppress
          Big_int_Z.zero_big_int [] (decorated ts))))
    (sum (adds p parts skips0 aside asks true)
      (walk never m (filter (is_hub hub) vectors) p.suppress
        Big_int_Z.zero_big_int [] (decorated ts)))

(** val apart :
    policy -> nat -> vector list -> vector option -> (vector -> type0 list ->
    bool) -> type0 list -> bool **)

let apart p m vectors hub skips0 types =
  (||) (one_part types)
    (forallb (fun g ->
      (||) ((||) g.blank (one_part g.members)) (skips0 g.at_vector g.members))
      (walk (stop_few p) m (filter (fun v -> negb (is_hub hub v)) vectors)
        p.suppress Big_int_Z.zero_big_int [] (decorated types)))

(** val all_parts :
    Big_int_Z.big_int -> (type0 list -> Big_int_Z.big_int) ->
    Big_int_Z.big_int -> type0 list -> Big_int_Z.big_int **)

let all_parts parts worth step types =
  total (fun ts ->
    match ts with
    | [] -> Big_int_Z.zero_big_int
    | _ :: _ -> rounded_up (worth ts) parts step) (part_by part_key types)

type named = { number : Big_int_Z.big_int; stands : vector;
               face : label list; rows : type0 list }

(** val same_instance : named -> named -> bool **)

let same_instance x y =
  (&&) (vector_eqb x.stands y.stands) (labels_eqb x.face y.face)

(** val distinct : named list -> bool **)

let rec distinct = function
| [] -> true
| x :: l' ->
  (&&) (forallb (fun y -> negb (same_instance x y)) l') (distinct l')

type cut =
| CutC of Big_int_Z.big_int list
| CutT of Big_int_Z.big_int list * Big_int_Z.big_int list
| CutS of Big_int_Z.big_int list
   * (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list
| CutF of Big_int_Z.big_int list * Big_int_Z.big_int list
   * Big_int_Z.big_int list

type number_set = Big_int_Z.big_int trie

(** val set_of : Big_int_Z.big_int list -> number_set **)

let set_of l =
  part_by key l

(** val member : Big_int_Z.big_int -> number_set -> bool **)

let member z0 s =
  existsb (Z.eqb z0) (get (key z0) s)

(** val listed : Big_int_Z.big_int list -> named -> bool **)

let listed l n0 =
  existsb (Z.eqb n0.number) l

(** val here : number_set -> type0 -> bool **)

let here s i =
  member i.place s

(** val as_number : bool -> Big_int_Z.big_int **)

let as_number = function
| true -> Big_int_Z.unit_big_int
| false -> Big_int_Z.zero_big_int

(** val rows_in : (type0 -> bool) -> type0 list -> Big_int_Z.big_int **)

let rows_in b ts =
  sum (fun i ->
    Z.mul (Z.max Big_int_Z.zero_big_int i.count) (as_number (b i))) ts

type inequality = { divisor : Big_int_Z.big_int; side : Big_int_Z.big_int;
                    touches : (named -> bool);
                    opens : (named -> Big_int_Z.big_int);
                    takes : (named -> type0 -> Big_int_Z.big_int) }

(** val together : type0 list -> named -> named -> Big_int_Z.big_int **)

let together own x y =
  rows_of
    (filter (fun i ->
      (||) (alike x.stands x.face i) (alike y.stands y.face i)) own)

(** val crossing : Big_int_Z.big_int -> type0 list -> named list -> bool **)

let rec crossing k0 own = function
| [] -> true
| x :: l' ->
  (&&)
    (forallb (fun y ->
      Z.ltb (together own x y)
        (Z.mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) k0)) l')
    (crossing k0 own l')

(** val pair_of :
    (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list ->
    named -> (Big_int_Z.big_int * Big_int_Z.big_int) option **)

let pair_of pairs n0 =
  match find (fun x -> Z.eqb (fst x) n0.number) pairs with
  | Some x -> Some (snd x)
  | None -> None

(** val good_pair :
    Big_int_Z.big_int list ->
    (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) -> bool **)

let good_pair types x =
  let (a, b) = snd x in
  (&&) ((&&) (negb (Z.eqb a b)) (existsb (Z.eqb a) types))
    (existsb (Z.eqb b) types)

(** val is_type : Big_int_Z.big_int -> type0 -> bool **)

let is_type z0 i =
  Z.eqb i.place z0

(** val cut_C :
    Big_int_Z.big_int -> type0 list -> named list -> Big_int_Z.big_int list
    -> inequality option **)

let cut_C k0 own names instances0 =
  if crossing k0 own (filter (listed instances0) names)
  then Some { divisor = Big_int_Z.unit_big_int; side =
         Big_int_Z.unit_big_int; touches = (listed instances0); opens =
         (fun n0 -> as_number (listed instances0 n0)); takes = (fun _ _ ->
         Big_int_Z.zero_big_int) }
  else None

(** val cut_T :
    Big_int_Z.big_int -> type0 list -> Big_int_Z.big_int list ->
    Big_int_Z.big_int list -> inequality option **)

let cut_T k0 own types instances0 =
  let s = set_of types in
  let n0 = rows_in (here s) own in
  let r = Z.modulo n0 k0 in
  let q = Z.div n0 k0 in
  if (&&) (Z.ltb Big_int_Z.zero_big_int k0) (Z.ltb Big_int_Z.zero_big_int r)
  then Some { divisor = (Z.sub k0 r); side = (Z.mul q (Z.sub k0 r));
         touches = (listed instances0); opens = (fun g ->
         Z.mul (Z.sub k0 r) (as_number (listed instances0 g))); takes =
         (fun g i ->
         if listed instances0 g
         then Z.opp (as_number (negb (here s i)))
         else Big_int_Z.zero_big_int) }
  else None

(** val cut_S :
    Big_int_Z.big_int -> type0 list -> Big_int_Z.big_int list ->
    (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list ->
    inequality option **)

let cut_S k0 own types pairs =
  match types with
  | [] -> None
  | _ :: l ->
    (match l with
     | [] -> None
     | _ :: l0 ->
       (match l0 with
        | [] -> None
        | _ :: l1 ->
          (match l1 with
           | [] ->
             if (&&)
                  ((&&) (Z.leb Big_int_Z.unit_big_int k0)
                    (forallb (fun z0 ->
                      Z.eqb (rows_in (is_type z0) own) Big_int_Z.unit_big_int)
                      types)) (forallb (good_pair types) pairs)
             then Some { divisor = Big_int_Z.unit_big_int; side =
                    Big_int_Z.unit_big_int; touches = (fun g ->
                    match pair_of pairs g with
                    | Some _ -> true
                    | None -> false); opens = (fun g ->
                    match pair_of pairs g with
                    | Some _ -> Big_int_Z.minus_big_int Big_int_Z.unit_big_int
                    | None -> Big_int_Z.zero_big_int); takes = (fun g i ->
                    match pair_of pairs g with
                    | Some p ->
                      let (a, b) = p in
                      Z.add (as_number (is_type a i))
                        (as_number (is_type b i))
                    | None -> Big_int_Z.zero_big_int) }
             else None
           | _ :: _ -> None)))

(** val cut_F :
    Big_int_Z.big_int -> type0 list -> named list -> Big_int_Z.big_int list
    -> Big_int_Z.big_int list -> Big_int_Z.big_int list -> inequality option **)

let cut_F k0 own names types part0 full =
  let s = set_of types in
  let h = number_of (listed full) names in
  let c = Z.sub (rows_in (here s) own) (Z.mul k0 h) in
  let z0 =
    Z.min k0
      (sum (fun g ->
        Z.max Big_int_Z.zero_big_int (Z.sub (rows_in (here s) g.rows) c))
        (filter (listed part0) names))
  in
  if (&&)
       ((&&) (Z.leb Big_int_Z.zero_big_int k0)
         (Z.leb Big_int_Z.zero_big_int c))
       (forallb (fun g -> negb ((&&) (listed part0 g) (listed full g))) names)
  then Some { divisor = Big_int_Z.unit_big_int; side = (Z.mul z0 h);
         touches = (fun g -> (||) (listed part0 g) (listed full g)); opens =
         (fun g ->
         if listed part0 g
         then Z.opp c
         else if listed full g then z0 else Big_int_Z.zero_big_int); takes =
         (fun g i ->
         if listed part0 g
         then as_number (here s i)
         else if listed full g
              then Z.opp (as_number (negb (here s i)))
              else Big_int_Z.zero_big_int) }
  else None

(** val inequality_of :
    Big_int_Z.big_int -> type0 list -> named list -> cut -> inequality option **)

let inequality_of k0 own names = function
| CutC instances0 -> cut_C k0 own names instances0
| CutT (types, instances0) -> cut_T k0 own types instances0
| CutS (types, pairs) -> cut_S k0 own types pairs
| CutF (types, part0, full) -> cut_F k0 own names types part0 full

(** val name_of :
    policy -> vector option -> type0 list -> Big_int_Z.big_int ->
    (vector * Big_int_Z.big_int) -> named option **)

let name_of p hub own n0 name =
  match find (fun i -> Z.eqb i.place (snd name)) own with
  | Some i ->
    let s = shows (fst name) i in
    if (||) (is_hub hub (fst name)) (free p s)
    then None
    else Some { number = n0; stands = (fst name); face = s; rows =
           (group own (fst name) s) }
  | None -> None

(** val names_of :
    policy -> vector option -> type0 list -> Big_int_Z.big_int ->
    (vector * Big_int_Z.big_int) list -> named list option **)

let rec names_of p hub own n0 = function
| [] -> Some []
| name :: given' ->
  (match name_of p hub own n0 name with
   | Some x ->
     (match names_of p hub own (Z.add n0 Big_int_Z.unit_big_int) given' with
      | Some more -> Some (x :: more)
      | None -> None)
   | None -> None)

(** val named_there : named trie -> vector -> type0 list -> bool **)

let named_there dictionary0 v = function
| [] -> false
| i :: _ ->
  existsb (fun n0 ->
    (&&) (vector_eqb v n0.stands) (labels_eqb (shows v i) n0.face))
    (get (code_key v) dictionary0)

(** val moved_price :
    (Big_int_Z.big_int * Big_int_Z.big_int) trie -> type0 -> Big_int_Z.big_int **)

let moved_price moves0 i =
  Z.add i.price
    (sum (fun x ->
      if Z.eqb (fst x) i.place then snd x else Big_int_Z.zero_big_int)
      (get (key i.place) moves0))

(** val weighed :
    inequality list -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * inequality) list option **)

let rec weighed known = function
| [] -> Some []
| p0 :: more ->
  let (at_, w) = p0 in
  (match if (&&) (Z.leb Big_int_Z.zero_big_int at_)
              (Z.ltb at_ (Z.of_nat (length known)))
         then nth_error known (Z.to_nat at_)
         else None with
   | Some q ->
     (match weighed known more with
      | Some l ->
        if (&&)
             ((&&) (Z.ltb Big_int_Z.zero_big_int q.divisor)
               (Z.leb Big_int_Z.zero_big_int w))
             (Z.eqb (Z.modulo w q.divisor) Big_int_Z.zero_big_int)
        then Some (((Z.div w q.divisor), q) :: l)
        else None
      | None -> None)
   | None -> None)

type state = (Big_int_Z.big_int * bool) list

(** val is_open : state -> named -> bool option **)

let is_open st n0 =
  match find (fun x -> Z.eqb (fst x) n0.number) st with
  | Some x -> Some (snd x)
  | None -> None

(** val named_adds :
    policy -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int) ->
    (Big_int_Z.big_int * inequality) list -> state -> named ->
    Big_int_Z.big_int **)

let named_adds p parts asks used st n0 =
  match is_open st n0 with
  | Some b ->
    if b
    then let mine = filter (fun x -> (snd x).touches n0) used in
         let q =
           Z.mul parts
             (match n0.rows with
              | [] -> Big_int_Z.zero_big_int
              | i :: _ -> pays n0.stands i)
         in
         let opening = sum (fun x -> Z.mul (fst x) ((snd x).opens n0)) mine in
         Z.add opening
           (least p.k
             (terms (fun i ->
               Z.add (Z.sub q (asks i))
                 (sum (fun x -> Z.mul (fst x) ((snd x).takes n0 i)) mine))
               n0.rows))
    else Big_int_Z.zero_big_int
  | None ->
    let mine = filter (fun x -> (snd x).touches n0) used in
    let q =
      Z.mul parts
        (match n0.rows with
         | [] -> Big_int_Z.zero_big_int
         | i :: _ -> pays n0.stands i)
    in
    let opening = sum (fun x -> Z.mul (fst x) ((snd x).opens n0)) mine in
    let least_sum =
      Z.add opening
        (least p.k
          (terms (fun i ->
            Z.add (Z.sub q (asks i))
              (sum (fun x -> Z.mul (fst x) ((snd x).takes n0 i)) mine))
            n0.rows))
    in
    Z.min Big_int_Z.zero_big_int least_sum

(** val leaf_value :
    policy -> nat -> vector list -> Big_int_Z.big_int -> vector option ->
    (vector -> type0 list -> bool) -> type0 list -> named list -> (type0 ->
    Big_int_Z.big_int) -> (Big_int_Z.big_int * inequality) list -> state ->
    Big_int_Z.big_int **)

let leaf_value p m vectors parts hub skips0 own names asks used st =
  Z.sub
    (Z.add
      (value p m vectors parts hub skips0
        (named_there (part_by (fun n0 -> code_key n0.stands) names)) asks own)
      (sum (named_adds p parts asks used st) names))
    (sum (fun x -> Z.mul (fst x) (snd x).side) used)

type node =
| Leaf of (Big_int_Z.big_int * Big_int_Z.big_int) list
   * (Big_int_Z.big_int * Big_int_Z.big_int) list
| Branch of Big_int_Z.big_int * node * node

type tree = { of_part : Big_int_Z.big_int;
              instances : (vector * Big_int_Z.big_int) list; cuts : cut list;
              root : node }

(** val node_value :
    policy -> nat -> vector list -> Big_int_Z.big_int -> vector option ->
    (vector -> type0 list -> bool) -> type0 list -> named list -> inequality
    list -> state -> node -> Big_int_Z.big_int option **)

let rec node_value p m vectors parts hub skips0 own names known st = function
| Leaf (moves0, weights) ->
  (match weighed known weights with
   | Some used ->
     Some
       (leaf_value p m vectors parts hub skips0 own names
         (moved_price (part_by (fun x -> key (fst x)) moves0)) used st)
   | None -> None)
| Branch (x, closed, opened) ->
  (match filter (fun n0 -> Z.eqb n0.number x) names with
   | [] -> None
   | _ :: l ->
     (match l with
      | [] ->
        (match node_value p m vectors parts hub skips0 own names known ((x,
                 false) :: st) closed with
         | Some a ->
           (match node_value p m vectors parts hub skips0 own names known
                    ((x, true) :: st) opened with
            | Some b -> Some (Z.min a b)
            | None -> None)
         | None -> None)
      | _ :: _ -> None))

(** val all_of : ('a1 -> 'a2 option) -> 'a1 list -> 'a2 list option **)

let rec all_of f = function
| [] -> Some []
| x :: l' ->
  (match f x with
   | Some y ->
     (match all_of f l' with
      | Some more -> Some (y :: more)
      | None -> None)
   | None -> None)

(** val tree_value :
    policy -> nat -> vector list -> Big_int_Z.big_int -> vector option ->
    (vector -> type0 list -> bool) -> type0 list -> tree -> Big_int_Z.big_int
    option **)

let tree_value p m vectors parts hub skips0 own t0 =
  match names_of p hub own Big_int_Z.zero_big_int t0.instances with
  | Some names ->
    if distinct names
    then (match all_of (inequality_of p.k own names) t0.cuts with
          | Some known ->
            node_value p m vectors parts hub skips0 own names known [] t0.root
          | None -> None)
    else None
  | None -> None

(** val best :
    policy -> nat -> vector list -> Big_int_Z.big_int -> vector option ->
    (vector -> type0 list -> bool) -> type0 list -> tree list ->
    Big_int_Z.big_int **)

let best p m vectors parts hub skips0 own trees0 =
  let at_prices =
    value p m vectors parts hub skips0 (fun _ _ -> false) (fun t0 ->
      t0.price) own
  in
  (match own with
   | [] -> at_prices
   | i :: _ ->
     fold_right (fun t0 b ->
       match tree_value p m vectors parts hub skips0 own t0 with
       | Some v -> Z.max v b
       | None -> b) at_prices
       (filter (fun t0 -> Z.eqb t0.of_part i.part) trees0))

type matching = { scale : Big_int_Z.big_int; unit_ : Big_int_Z.big_int;
                  row_prices : (Big_int_Z.big_int * Big_int_Z.big_int list)
                               list; set_prices : Big_int_Z.big_int list;
                  judged : (nat * nat) option }

(** val numbered :
    Big_int_Z.big_int -> 'a1 list -> (Big_int_Z.big_int * 'a1) list **)

let rec numbered n0 = function
| [] -> []
| a :: l' -> (n0, a) :: (numbered (Z.add n0 Big_int_Z.unit_big_int) l')

(** val single_rows :
    Big_int_Z.big_int -> row list -> (Big_int_Z.big_int * Big_int_Z.big_int
    list) list -> type0 list option **)

let rec single_rows n0 original prices0 =
  match original with
  | [] -> (match prices0 with
           | [] -> Some []
           | _ :: _ -> None)
  | r :: original' ->
    (match prices0 with
     | [] -> None
     | x :: prices' ->
       (match single_rows (Z.add n0 Big_int_Z.unit_big_int) original' prices' with
        | Some l ->
          Some ({ cells = (fst r); count = Big_int_Z.unit_big_int; price =
            (fst x); part = Big_int_Z.zero_big_int; place = n0; other =
            (snd r) } :: l)
        | None -> None))

(** val near_cell : cell -> cell -> cell -> Big_int_Z.big_int option **)

let rec near_cell c d e =
  match c with
  | [] -> None
  | x :: c' ->
    (match d with
     | [] -> None
     | y :: d' ->
       (match e with
        | [] -> None
        | z0 :: e' ->
          let higher = near_cell c' d' e' in
          if (&&) (Z.eqb (fst x) (fst y)) (Z.eqb (fst x) (fst z0))
          then (match higher with
                | Some w -> Some (Z.min (snd x) w)
                | None -> Some (snd x))
          else higher))

(** val near :
    cell list -> cell list -> cell list -> Big_int_Z.big_int option **)

let rec near r s t0 =
  match r with
  | [] -> Some Big_int_Z.zero_big_int
  | c :: r' ->
    (match s with
     | [] -> Some Big_int_Z.zero_big_int
     | d :: s' ->
       (match t0 with
        | [] -> Some Big_int_Z.zero_big_int
        | e :: t' ->
          (match near_cell c d e with
           | Some w ->
             (match near r' s' t' with
              | Some v -> Some (Z.add w v)
              | None -> None)
           | None -> None)))

(** val within : vector -> cell list -> bool **)

let rec within v r =
  match v with
  | [] -> (match r with
           | [] -> true
           | _ :: _ -> false)
  | l :: v' ->
    (match r with
     | [] -> false
     | c :: r' -> (&&) (Nat.ltb l (length c)) (within v' r'))

(** val halving :
    requirement list -> Big_int_Z.big_int list -> nat -> (Big_int_Z.big_int
    -> Big_int_Z.big_int) option **)

let halving asked0 table r =
  match nth_error asked0 r with
  | Some r0 ->
    (match r0 with
     | Shares (value0, share, whole) ->
       if (&&) (Z.ltb Big_int_Z.zero_big_int whole)
            (forallb (fun o ->
              Z.leb
                (Z.mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int)
                  (Z.of_N (share (value0 o)))) whole) table)
       then Some value0
       else None
     | _ -> None)
  | None -> None

(** val both_halving :
    requirement list -> Big_int_Z.big_int list -> (nat * nat) ->
    ((Big_int_Z.big_int -> Big_int_Z.big_int) * (Big_int_Z.big_int ->
    Big_int_Z.big_int)) option **)

let both_halving asked0 table rs =
  match halving asked0 table (fst rs) with
  | Some f ->
    (match halving asked0 table (snd rs) with
     | Some g -> Some (f, g)
     | None -> None)
  | None -> None

(** val in_set :
    (type0 -> Big_int_Z.big_int list) -> Big_int_Z.big_int -> type0 -> bool **)

let in_set sets_of s i =
  existsb (Z.eqb s) (sets_of i)

(** val odd : Big_int_Z.big_int -> Big_int_Z.big_int **)

let odd n0 =
  Z.modulo n0 (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int)

(** val asked :
    (type0 -> Big_int_Z.big_int list) ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> type0 list ->
    Big_int_Z.big_int **)

let asked sets_of sets part0 =
  Z.add (sum (fun t0 -> t0.price) part0)
    (sum (fun s ->
      Z.mul (snd s) (odd (number_of (in_set sets_of (fst s)) part0))) sets)

(** val lifted :
    (type0 -> Big_int_Z.big_int list) ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> type0 -> Big_int_Z.big_int **)

let lifted sets_of sets i =
  Z.add i.price
    (sum (fun s ->
      if in_set sets_of (fst s) i then snd s else Big_int_Z.zero_big_int)
      sets)

(** val clash :
    ((Big_int_Z.big_int -> Big_int_Z.big_int) * (Big_int_Z.big_int ->
    Big_int_Z.big_int)) option -> type0 -> type0 -> bool **)

let clash kinds i j =
  match kinds with
  | Some p0 ->
    let (f, g) = p0 in
    (||) (Z.eqb (f i.other) (f j.other)) (Z.eqb (g i.other) (g j.other))
  | None -> false

(** val pays_for :
    vector list -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> type0 -> type0 -> type0 -> bool **)

let pays_for vectors scale0 unit_0 n0 e i j l =
  match near i.cells j.cells l.cells with
  | Some w ->
    if Z.leb (Z.mul e unit_0) (Z.mul (Z.mul n0 scale0) w)
    then true
    else forallb (fun u ->
           (||)
             (negb
               ((&&) (labels_eqb (shows u i) (shows u j))
                 (labels_eqb (shows u i) (shows u l))))
             (Z.leb (Z.mul e unit_0) (Z.mul (Z.mul n0 scale0) (pays u i))))
           vectors
  | None -> true

(** val pair_good :
    vector list -> ((Big_int_Z.big_int ->
    Big_int_Z.big_int) * (Big_int_Z.big_int -> Big_int_Z.big_int)) option ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int
    list) -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (type0 * Big_int_Z.big_int) -> (type0 * Big_int_Z.big_int) -> bool **)

let pair_good vectors kinds scale0 unit_0 sets_of sets x y =
  (||)
    ((||) (clash kinds (fst x) (fst y))
      (pays_for vectors scale0 unit_0 (Big_int_Z.mult_int_big_int 2
        Big_int_Z.unit_big_int) (Z.add (snd x) (snd y)) (fst x) (fst y)
        (fst y)))
    (pays_for vectors scale0 unit_0 (Big_int_Z.mult_int_big_int 2
      Big_int_Z.unit_big_int)
      (asked sets_of sets ((fst x) :: ((fst y) :: []))) (fst x) (fst y)
      (fst y))

(** val pairs_good :
    vector list -> ((Big_int_Z.big_int ->
    Big_int_Z.big_int) * (Big_int_Z.big_int -> Big_int_Z.big_int)) option ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int
    list) -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (type0 * Big_int_Z.big_int) list -> bool **)

let rec pairs_good vectors kinds scale0 unit_0 sets_of sets = function
| [] -> true
| x :: l' ->
  (&&) (forallb (pair_good vectors kinds scale0 unit_0 sets_of sets x) l')
    (pairs_good vectors kinds scale0 unit_0 sets_of sets l')

(** val triples_with :
    vector list -> ((Big_int_Z.big_int ->
    Big_int_Z.big_int) * (Big_int_Z.big_int -> Big_int_Z.big_int)) option ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int
    list) -> (Big_int_Z.big_int * Big_int_Z.big_int) list -> type0 -> type0
    list -> bool **)

let rec triples_with vectors kinds scale0 unit_0 sets_of sets x = function
| [] -> true
| y :: l' ->
  (&&)
    (forallb (fun z0 ->
      (||)
        ((||) ((||) (clash kinds x y) (clash kinds x z0)) (clash kinds y z0))
        (pays_for vectors scale0 unit_0
          ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
          Big_int_Z.unit_big_int)
          (asked sets_of sets (x :: (y :: (z0 :: [])))) x y z0)) l')
    (triples_with vectors kinds scale0 unit_0 sets_of sets x l')

(** val triples_good :
    vector list -> ((Big_int_Z.big_int ->
    Big_int_Z.big_int) * (Big_int_Z.big_int -> Big_int_Z.big_int)) option ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int
    list) -> (Big_int_Z.big_int * Big_int_Z.big_int) list -> type0 list ->
    bool **)

let rec triples_good vectors kinds scale0 unit_0 sets_of sets = function
| [] -> true
| x :: l' ->
  (&&) (triples_with vectors kinds scale0 unit_0 sets_of sets x l')
    (triples_good vectors kinds scale0 unit_0 sets_of sets l')

(** val set_good :
    vector list -> ((Big_int_Z.big_int ->
    Big_int_Z.big_int) * (Big_int_Z.big_int -> Big_int_Z.big_int)) option ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int
    list) -> (Big_int_Z.big_int * Big_int_Z.big_int) list -> type0 list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> bool **)

let set_good vectors kinds scale0 unit_0 sets_of sets rows0 s =
  let held = filter (in_set sets_of (fst s)) rows0 in
  (&&)
    ((&&) (Z.leb Big_int_Z.zero_big_int (snd s))
      (Z.eqb (odd (number_of (fun _ -> true) held)) Big_int_Z.unit_big_int))
    (triples_good vectors kinds scale0 unit_0 sets_of sets held)

(** val single :
    policy -> ((Big_int_Z.big_int -> Big_int_Z.big_int) * (Big_int_Z.big_int
    -> Big_int_Z.big_int)) option -> bool **)

let single p = function
| Some _ -> false
| None -> p.suppress

(** val alone_good :
    policy -> vector list -> ((Big_int_Z.big_int ->
    Big_int_Z.big_int) * (Big_int_Z.big_int -> Big_int_Z.big_int)) option ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int
    list) -> (Big_int_Z.big_int * Big_int_Z.big_int) list -> type0 -> bool **)

let alone_good p vectors kinds scale0 unit_0 sets_of sets i =
  (||) (negb (single p kinds))
    (forallb (fun u ->
      (||) (negb (stars (shows u i)))
        (Z.leb (Z.mul (lifted sets_of sets i) unit_0)
          (Z.mul scale0 (pays u i)))) vectors)

(** val prices_good :
    policy -> vector list -> ((Big_int_Z.big_int ->
    Big_int_Z.big_int) * (Big_int_Z.big_int -> Big_int_Z.big_int)) option ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int
    list) -> (Big_int_Z.big_int * Big_int_Z.big_int) list -> type0 list ->
    bool **)

let prices_good p vectors kinds scale0 unit_0 sets_of sets rows0 =
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&) (Z.ltb Big_int_Z.zero_big_int scale0)
            (Z.ltb Big_int_Z.zero_big_int unit_0))
          (match kinds with
           | Some _ -> true
           | None ->
             Z.leb (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) p.k))
        (forallb (alone_good p vectors kinds scale0 unit_0 sets_of sets)
          rows0))
      (forallb (set_good vectors kinds scale0 unit_0 sets_of sets rows0) sets))
    (pairs_good vectors kinds scale0 unit_0 sets_of sets
      (map (fun i -> (i, (lifted sets_of sets i))) rows0))

(** val matching_bound :
    policy -> row list -> matching -> Big_int_Z.big_int option **)

let matching_bound p original c =
  let kinds =
    match c.judged with
    | Some rs ->
      (match both_halving p.required (map snd original) rs with
       | Some fg -> Some (Some fg)
       | None -> None)
    | None -> Some None
  in
  (match kinds with
   | Some kinds0 ->
     (match single_rows Big_int_Z.zero_big_int original c.row_prices with
      | Some rows0 ->
        let m = match original with
                | [] -> O
                | r :: _ -> length (fst r) in
        let first = match original with
                    | [] -> []
                    | r :: _ -> fst r in
        let vectors = filter (fun v -> within v first) p.mask0 in
        let named0 =
          part_by (fun x -> key (fst x))
            (numbered Big_int_Z.zero_big_int (map snd c.row_prices))
        in
        let sets_of = fun i ->
          match get (key i.place) named0 with
          | [] -> []
          | x :: _ -> snd x
        in
        let sets = numbered Big_int_Z.zero_big_int c.set_prices in
        if (&&)
             ((&&) (tidy m (map (fun t0 -> t0.cells) rows0))
               (prices_good p vectors kinds0 c.scale c.unit_ sets_of sets
                 rows0))
             (Z.eqb (Z.modulo (step_of rows0) c.unit_) Big_int_Z.zero_big_int)
        then Some
               (rounded_up
                 (Z.mul
                   (Z.add (sum (fun t0 -> t0.price) rows0) (sum snd sets))
                   c.unit_) c.scale c.unit_)
        else None
      | None -> None)
   | None -> None)

(** val labels_leb : label list -> label list -> bool **)

let rec labels_leb x y =
  match x with
  | [] -> true
  | a :: x' ->
    (match y with
     | [] -> false
     | b :: y' ->
       if Z.ltb a b
       then true
       else if Z.ltb b a then false else labels_leb x' y')

(** val values : cell list -> label list **)

let values r =
  map (fun c -> fst (at_level O c)) r

module RowOrder =
 struct
  type t = cell list

  (** val leb : t -> t -> bool **)

  let leb x y =
    labels_leb (values x) (values y)
 end

module RowSort = Sort(RowOrder)

module RecordOrder =
 struct
  type t = record

  (** val leb : t -> t -> bool **)

  let leb x y =
    labels_leb ((snd x) :: (fst x)) ((snd y) :: (fst y))
 end

module RecordSort = Sort(RecordOrder)

module LabelsOrder =
 struct
  type t = label list

  (** val leb : t -> t -> bool **)

  let leb =
    labels_leb
 end

module LabelsSort = Sort(LabelsOrder)

(** val runs :
    ('a1 -> 'a1 -> bool) -> 'a1 list -> ('a1 * Big_int_Z.big_int) list **)

let rec runs eqb0 = function
| [] -> []
| x :: l' ->
  (match runs eqb0 l' with
   | [] -> (x, Big_int_Z.unit_big_int) :: []
   | p :: more ->
     let (y, n0) = p in
     if eqb0 x y
     then (y, (Z.add n0 Big_int_Z.unit_big_int)) :: more
     else (x, Big_int_Z.unit_big_int) :: ((y, n0) :: more))

(** val cell_eqb : cell -> cell -> bool **)

let rec cell_eqb c d =
  match c with
  | [] -> (match d with
           | [] -> true
           | _ :: _ -> false)
  | p :: c' ->
    let (x, z0) = p in
    (match d with
     | [] -> false
     | p0 :: d' ->
       let (y, w) = p0 in
       (&&) ((&&) (Z.eqb x y) (Z.eqb z0 w)) (cell_eqb c' d'))

(** val cells_eqb : cell list -> cell list -> bool **)

let rec cells_eqb r t0 =
  match r with
  | [] -> (match t0 with
           | [] -> true
           | _ :: _ -> false)
  | c :: r' ->
    (match t0 with
     | [] -> false
     | d :: t' -> (&&) (cell_eqb c d) (cells_eqb r' t'))

(** val zpower_alt :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let zpower_alt n0 m =
  (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
    (fun _ -> Big_int_Z.unit_big_int)
    (fun p -> Coq_Pos.iter_op Z.mul p n0)
    (fun _ -> Big_int_Z.zero_big_int)
    m

module NumberOrder =
 struct
  type t = Big_int_Z.big_int

  (** val leb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let leb =
    Z.leb
 end

module NumberSort = Sort(NumberOrder)

(** val occurrences :
    Big_int_Z.big_int -> Big_int_Z.big_int list -> Big_int_Z.big_int **)

let occurrences x l =
  number_of (fun y -> Z.eqb y x) l

(** val counted :
    Big_int_Z.big_int list -> (Big_int_Z.big_int * Big_int_Z.big_int) list **)

let counted l =
  map (fun r -> ((fst r), (occurrences (fst r) l)))
    (runs Z.eqb (NumberSort.sort l))

type moves =
  ((Big_int_Z.big_int * Big_int_Z.big_int) * Big_int_Z.big_int) list

(** val leaving : Big_int_Z.big_int -> moves -> Big_int_Z.big_int **)

let leaving x m =
  sum (fun t0 ->
    if Z.eqb (fst (fst t0)) x then snd t0 else Big_int_Z.zero_big_int) m

(** val coming : Big_int_Z.big_int -> moves -> Big_int_Z.big_int **)

let coming z0 m =
  sum (fun t0 ->
    if Z.eqb (snd (fst t0)) z0 then snd t0 else Big_int_Z.zero_big_int) m

(** val staying :
    (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    moves * (Big_int_Z.big_int * Big_int_Z.big_int) list **)

let rec staying xs zs =
  match xs with
  | [] -> ([], [])
  | p :: xs' ->
    let (x, c) = p in
    let d =
      match find (fun z0 -> Z.eqb (fst z0) x) zs with
      | Some z0 -> snd z0
      | None -> Big_int_Z.zero_big_int
    in
    let s = Z.min c d in
    let (m, rest) = staying xs' zs in
    ((((x, x), s) :: m), ((x, (Z.sub c s)) :: rest))

(** val along :
    nat -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> moves **)

let rec along fuel xs zs =
  match fuel with
  | O -> []
  | S fuel' ->
    (match xs with
     | [] -> []
     | p :: xs' ->
       let (x, c) = p in
       (match zs with
        | [] -> []
        | p0 :: zs' ->
          let (z0, d) = p0 in
          if Z.leb c d
          then ((x, z0), c) :: (along fuel' xs' ((z0, (Z.sub d c)) :: zs'))
          else ((x, z0), d) :: (along fuel' ((x, (Z.sub c d)) :: xs') zs')))

(** val in_line :
    (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> moves **)

let in_line xs zs =
  let (m, rest) = staying xs zs in
  let left_ =
    map (fun z0 -> ((fst z0), (Z.sub (snd z0) (coming (fst z0) m)))) zs
  in
  app m (along (add (length xs) (length zs)) rest left_)

module NearOrder =
 struct
  type t = Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)

  (** val leb : t -> t -> bool **)

  let leb x y =
    Z.leb (fst x) (fst y)
 end

module NearSort = Sort(NearOrder)

(** val greedily :
    (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> moves -> moves **)

let rec greedily order0 xs zs m =
  match order0 with
  | [] -> m
  | p :: order' ->
    let (_, p0) = p in
    let (x, z0) = p0 in
    let amount = fun l y ->
      match find (fun e -> Z.eqb (fst e) y) l with
      | Some e -> snd e
      | None -> Big_int_Z.zero_big_int
    in
    let less = fun l y s ->
      map (fun e ->
        if Z.eqb (fst e) y then ((fst e), (Z.sub (snd e) s)) else e) l
    in
    let s = Z.min (amount xs x) (amount zs z0) in
    if Z.leb s Big_int_Z.zero_big_int
    then greedily order' xs zs m
    else greedily order' (less xs x s) (less zs z0 s) (((x, z0), s) :: m)

(** val nearest :
    (Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int) ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> moves **)

let nearest apart0 xs zs =
  greedily
    (NearSort.sort
      (flat_map (fun x ->
        map (fun z0 -> ((apart0 (fst x) (fst z0)), ((fst x), (fst z0)))) zs)
        xs)) xs zs []

(** val moves_hold :
    (Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int) ->
    Big_int_Z.big_int -> Big_int_Z.big_int ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> moves -> bool **)

let moves_hold apart0 most whole class0 table size n0 m =
  let xs = map (fun c -> ((fst c), (Z.mul n0 (snd c)))) class0 in
  let zs = map (fun c -> ((fst c), (Z.mul size (snd c)))) table in
  (&&)
    ((&&)
      ((&&)
        (forallb (fun t0 ->
          (&&)
            ((&&) (Z.leb Big_int_Z.zero_big_int (snd t0))
              (existsb (fun x -> Z.eqb (fst x) (fst (fst t0))) xs))
            (existsb (fun z0 -> Z.eqb (fst z0) (snd (fst t0))) zs)) m)
        (forallb (fun x -> Z.eqb (leaving (fst x) m) (snd x)) xs))
      (forallb (fun z0 -> Z.eqb (coming (fst z0) m) (snd z0)) zs))
    (Z.leb
      (Z.mul whole
        (sum (fun t0 ->
          Z.mul (snd t0) (apart0 (fst (fst t0)) (snd (fst t0)))) m))
      (Z.mul most (Z.mul n0 size)))

(** val spread_now :
    Big_int_Z.big_int -> Big_int_Z.big_int ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int -> bool **)

let spread_now l d class0 n0 =
  Z.leb
    (Z.mul (zpower_alt l n0)
      (product (fun x -> zpower_alt (snd x) (snd x)) class0))
    (zpower_alt (Z.mul d n0) n0)

(** val recursive_now :
    nat -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int -> bool **)

let recursive_now l c whole class0 n0 =
  let theta =
    match l with
    | O -> Z.max Big_int_Z.zero_big_int n0
    | S n1 ->
      (match n1 with
       | O -> Z.max Big_int_Z.zero_big_int n0
       | S l' ->
         Z.max Big_int_Z.zero_big_int
           (nth l' (rev (NumberSort.sort (map snd class0)))
             Big_int_Z.zero_big_int))
  in
  let rest =
    Z.sub n0
      (Z.add (Z.mul (Z.of_nat (pred l)) theta)
        (sum (fun x -> Z.max Big_int_Z.zero_big_int (Z.sub (snd x) theta))
          class0))
  in
  (&&)
    ((&&) (Z.leb Big_int_Z.zero_big_int c)
      (Z.ltb Big_int_Z.zero_big_int (Z.mul c rest)))
    (forallb (fun x -> Z.ltb (Z.mul whole (snd x)) (Z.mul c rest)) class0)

(** val differ :
    (Big_int_Z.big_int -> Big_int_Z.big_int) list -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> bool **)

let differ values0 a b =
  forallb (fun value0 -> negb (Z.eqb (value0 a) (value0 b))) values0

(** val search :
    (Big_int_Z.big_int -> Big_int_Z.big_int) list -> nat -> nat ->
    Big_int_Z.big_int list -> Big_int_Z.big_int list option **)

let rec search values0 fuel more rows0 =
  match more with
  | O -> Some []
  | S more' ->
    (match fuel with
     | O -> None
     | S fuel' ->
       (match rows0 with
        | [] -> None
        | x :: rows' ->
          (match search values0 fuel' more' (filter (differ values0 x) rows') with
           | Some found -> Some (x :: found)
           | None -> search values0 fuel' more rows')))

(** val all_differ :
    (Big_int_Z.big_int -> Big_int_Z.big_int) list -> Big_int_Z.big_int list
    -> bool **)

let rec all_differ values0 = function
| [] -> true
| x :: rows' ->
  (&&) (forallb (differ values0 x) rows') (all_differ values0 rows')

(** val joint_now :
    (Big_int_Z.big_int -> Big_int_Z.big_int) list -> nat -> Big_int_Z.big_int
    list -> bool **)

let joint_now values0 l class0 =
  forallb (fun o ->
    match search values0 (length class0) (pred l)
            (filter (differ values0 o) class0) with
    | Some found ->
      (&&)
        ((&&) (forallb (fun x -> existsb (Z.eqb x) class0) found)
          (all_differ values0 (o :: found))) (Nat.leb l (S (length found)))
    | None -> false) class0

(** val meets_now :
    Big_int_Z.big_int list -> requirement -> Big_int_Z.big_int list -> bool **)

let meets_now table = function
| Shares (value0, share, whole) ->
  (fun class0 ->
    let c = counted (map value0 class0) in
    let size = Z.of_nat (length class0) in
    forallb (fun x ->
      Z.leb (Z.mul whole (snd x)) (Z.mul (Z.of_N (share (fst x))) size)) c)
| Distinct (value0, least0) ->
  (fun class0 ->
    Z.leb least0
      (Z.of_nat
        (length (nodup Z.eq_dec (map fst (counted (map value0 class0)))))))
| Entropy (value0, l, whole) ->
  (fun class0 ->
    spread_now (Z.of_N l) (Z.of_N whole) (counted (map value0 class0))
      (Z.of_nat (length class0)))
| Recursive (value0, l, c, whole) ->
  (fun class0 ->
    recursive_now l c whole (counted (map value0 class0))
      (Z.of_nat (length class0)))
| Joint (values0, l) ->
  (fun class0 -> joint_now values0 l (map fst (counted class0)))
| Close (value0, apart0, most, whole) ->
  let t0 = counted (map value0 table) in
  let n0 = Z.of_nat (length table) in
  (fun class0 ->
  let c = counted (map value0 class0) in
  let size = Z.of_nat (length class0) in
  let xs = map (fun c0 -> ((fst c0), (Z.mul n0 (snd c0)))) c in
  let zs = map (fun c0 -> ((fst c0), (Z.mul size (snd c0)))) t0 in
  let ok = moves_hold apart0 most whole c t0 size n0 in
  if ok (in_line xs zs) then true else ok (nearest apart0 xs zs))

(** val several :
    requirement -> ((Big_int_Z.big_int ->
    Big_int_Z.big_int) * Big_int_Z.big_int) list **)

let several = function
| Distinct (value0, least0) -> (value0, least0) :: []
| Joint (values0, l) -> map (fun value0 -> (value0, (Z.of_nat l))) values0
| _ -> []

(** val values_of :
    (Big_int_Z.big_int -> Big_int_Z.big_int) -> type0 list ->
    Big_int_Z.big_int list **)

let values_of value0 g =
  map fst (counted (map (fun i -> value0 i.other) g))

(** val lowest : Big_int_Z.big_int list -> Big_int_Z.big_int **)

let rec lowest = function
| [] -> Big_int_Z.zero_big_int
| x :: l' -> (match l' with
              | [] -> x
              | _ :: _ -> Z.min x (lowest l'))

(** val lowest_at :
    (Big_int_Z.big_int -> Big_int_Z.big_int) -> (type0 -> Big_int_Z.big_int)
    -> type0 trie -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let lowest_at value0 term dictionary0 x =
  lowest
    (map term
      (filter (fun i -> Z.eqb (value0 i.other) x) (get (key x) dictionary0)))

(** val above_least :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int **)

let above_least l theta n0 ts lows =
  Z.add (below theta n0 ts)
    (least l
      (map (fun x -> ((Z.max Big_int_Z.zero_big_int (Z.sub (snd x) theta)),
        Big_int_Z.unit_big_int)) lows))

(** val spread_least :
    (Big_int_Z.big_int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int) -> type0 list ->
    Big_int_Z.big_int **)

let spread_least value0 l n0 term g =
  let ts = terms term g in
  let sorted = TermSort.sort ts in
  let n' = Z.min n0 (sum snd ts) in
  let dictionary0 = part_by (fun i -> key (value0 i.other)) g in
  let lows =
    map (fun x -> (x, (lowest_at value0 term dictionary0 x)))
      (values_of value0 g)
  in
  let thetas =
    map (fun j ->
      let m = Z.sub n' (Z.of_nat j) in
      if Z.leb m Big_int_Z.zero_big_int
      then Big_int_Z.zero_big_int
      else Z.max Big_int_Z.zero_big_int (nth_term m sorted))
      (seq O
        (Z.to_nat
          (Z.min l (Big_int_Z.mult_int_big_int 2
            (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
            (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
            (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int)))))))))
  in
  fold_right Z.max (above_least l Big_int_Z.zero_big_int n' ts lows)
    (map (fun theta -> above_least l theta n' ts lows) thetas)

(** val shared :
    (Big_int_Z.big_int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    Big_int_Z.big_int **)

let shared share whole most counts =
  sum (fun x ->
    Z.min (snd x) (Z.div (Z.mul (Z.of_N (share (fst x))) most) whole)) counts

(** val shrunk :
    nat -> (Big_int_Z.big_int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    Big_int_Z.big_int **)

let rec shrunk fuel share whole most counts =
  match fuel with
  | O -> most
  | S fuel' ->
    let less = shared share whole most counts in
    if Z.ltb less most then shrunk fuel' share whole less counts else most

(** val rows_with :
    (Big_int_Z.big_int -> Big_int_Z.big_int) -> type0 trie ->
    Big_int_Z.big_int -> Big_int_Z.big_int **)

let rows_with value0 dictionary0 x =
  sum (fun i ->
    if Z.eqb (value0 i.other) x
    then Z.max Big_int_Z.zero_big_int i.count
    else Big_int_Z.zero_big_int) (get (key x) dictionary0)

(** val hopeless : Big_int_Z.big_int -> type0 list -> requirement -> bool **)

let hopeless n0 g q = match q with
| Shares (value0, share, whole) ->
  let dictionary0 = part_by (fun i -> key (value0 i.other)) g in
  (&&) (Z.ltb Big_int_Z.zero_big_int whole)
    (Z.ltb
      (shrunk (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
        (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
        (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S (S
        O))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
        share whole (rows_of g)
        (map (fun x -> (x, (rows_with value0 dictionary0 x)))
          (values_of value0 g))) n0)
| _ ->
  existsb (fun c -> Z.ltb (Z.of_nat (length (values_of (fst c) g))) (snd c))
    (several q)

(** val least_required :
    policy -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int) -> type0 list
    -> Big_int_Z.big_int **)

let least_required p n0 term g =
  fold_right Z.max (least n0 (terms term g))
    (map (fun c -> spread_least (fst c) (snd c) n0 term g)
      (flat_map several p.required))

(** val adds_required :
    policy -> Big_int_Z.big_int -> (vector -> type0 list -> bool) -> (vector
    -> type0 list -> charge list) -> instance -> Big_int_Z.big_int **)

let adds_required p parts skips0 charges g =
  let q = Z.mul parts g.paid in
  let n0 = if g.blank then Big_int_Z.unit_big_int else p.k in
  let ts = terms (fun i -> Z.sub q i.price) g.members in
  if existsb (fun x -> Z.ltb (fst x) Big_int_Z.zero_big_int) ts
  then if (&&) (negb g.blank) (few p.k g.members)
       then Big_int_Z.zero_big_int
       else if existsb (hopeless n0 g.members) p.required
            then Big_int_Z.zero_big_int
            else let mine = charges g.at_vector g.members in
                 let plain =
                   least_required p n0 (fun i -> Z.sub q i.price) g.members
                 in
                 let w =
                   match mine with
                   | [] -> plain
                   | _ :: _ ->
                     Z.max plain
                       (least_required p n0 (fun i ->
                         Z.add (Z.sub q i.price)
                           (sum (fun c -> charge_at c i.other) mine))
                         g.members)
                 in
                 if Z.ltb w Big_int_Z.zero_big_int
                 then if (&&) (negb g.blank) (skips0 g.at_vector g.members)
                      then Big_int_Z.zero_big_int
                      else w
                 else Big_int_Z.zero_big_int
  else Big_int_Z.zero_big_int

(** val required_value :
    policy -> nat -> vector list -> Big_int_Z.big_int -> (vector -> type0
    list -> bool) -> (vector -> type0 list -> charge list) -> type0 list ->
    Big_int_Z.big_int **)

let required_value p m vectors parts skips0 charges ts =
  Z.add
    (sum (fun i -> Z.mul (Z.max Big_int_Z.zero_big_int i.count) i.price) ts)
    (sum (adds_required p parts skips0 charges)
      (walk (stop p parts (fun t0 -> t0.price)) m vectors p.suppress
        Big_int_Z.zero_big_int [] (decorated ts)))

type priced = { in_parts : Big_int_Z.big_int;
                prices : Big_int_Z.big_int list;
                components : Big_int_Z.big_int list option; trees : tree list }

(** val typed :
    Big_int_Z.big_int -> (cell list * Big_int_Z.big_int) list ->
    Big_int_Z.big_int list -> Big_int_Z.big_int list -> type0 list option **)

let rec typed at_ rs ps cs =
  match rs with
  | [] ->
    (match ps with
     | [] -> (match cs with
              | [] -> Some []
              | _ :: _ -> None)
     | _ :: _ -> None)
  | p0 :: rs' ->
    let (r, n0) = p0 in
    (match ps with
     | [] -> None
     | p :: ps' ->
       (match cs with
        | [] -> None
        | c :: cs' ->
          (match typed (Z.add at_ Big_int_Z.unit_big_int) rs' ps' cs' with
           | Some ts ->
             Some ({ cells = r; count = n0; price = p; part = c; place = at_;
               other = Big_int_Z.zero_big_int } :: ts)
           | None -> None)))

type required_prices = { its_parts : Big_int_Z.big_int;
                         type_prices : Big_int_Z.big_int list;
                         multipliers : (((vector * Big_int_Z.big_int) * Big_int_Z.big_int) * multiplier)
                                       list }

type certificate =
| ByPrices of priced
| ByMatching of matching
| ByRequired of required_prices

(** val types_of : row list -> priced -> type0 list option **)

let types_of original c =
  let rs = runs cells_eqb (RowSort.sort (map fst original)) in
  typed Big_int_Z.zero_big_int rs c.prices
    (match c.components with
     | Some cs -> cs
     | None -> map (fun _ -> Big_int_Z.zero_big_int) rs)

module WholeOrder =
 struct
  type t = row

  (** val leb : t -> t -> bool **)

  let leb x y =
    labels_leb (app (values (fst x)) ((snd x) :: []))
      (app (values (fst y)) ((snd y) :: []))
 end

module WholeSort = Sort(WholeOrder)

(** val row_eqb : row -> row -> bool **)

let row_eqb x y =
  (&&) (cells_eqb (fst x) (fst y)) (Z.eqb (snd x) (snd y))

(** val typed_whole :
    Big_int_Z.big_int -> (row * Big_int_Z.big_int) list -> Big_int_Z.big_int
    list -> type0 list option **)

let rec typed_whole at_ rs ps =
  match rs with
  | [] -> (match ps with
           | [] -> Some []
           | _ :: _ -> None)
  | p0 :: rs' ->
    let (r, n0) = p0 in
    (match ps with
     | [] -> None
     | p :: ps' ->
       (match typed_whole (Z.add at_ Big_int_Z.unit_big_int) rs' ps' with
        | Some ts ->
          Some ({ cells = (fst r); count = n0; price = p; part =
            Big_int_Z.zero_big_int; place = at_; other = (snd r) } :: ts)
        | None -> None))

(** val whole_types :
    row list -> Big_int_Z.big_int list -> type0 list option **)

let whole_types original prices0 =
  typed_whole Big_int_Z.zero_big_int (runs row_eqb (WholeSort.sort original))
    prices0

(** val charge_for :
    Big_int_Z.big_int list -> requirement list ->
    (((vector * Big_int_Z.big_int) * Big_int_Z.big_int) * multiplier) ->
    ((vector * Big_int_Z.big_int) * charge) list **)

let charge_for table asked0 = function
| (p, numbers0) ->
  let (p0, r) = p in
  (match if (&&) (Z.leb Big_int_Z.zero_big_int r)
              (Z.ltb r (Z.of_nat (length asked0)))
         then nth_error asked0 (Z.to_nat r)
         else None with
   | Some q ->
     (match charge_of table q numbers0 with
      | Some c -> (p0, c) :: []
      | None -> [])
   | None -> [])

(** val charges_in :
    ((vector * Big_int_Z.big_int) * charge) trie -> vector -> type0 list ->
    charge list **)

let charges_in dictionary0 v g =
  map snd
    (filter (fun x ->
      (&&) (vector_eqb (fst (fst x)) v)
        (existsb (fun i -> Z.eqb i.place (snd (fst x))) g))
      (get (code_key v) dictionary0))

module RankOrder =
 struct
  type t = Big_int_Z.big_int * vector

  (** val leb : t -> t -> bool **)

  let leb x y =
    Z.leb (fst x) (fst y)
 end

module RankSort = Sort(RankOrder)

(** val one_cost : type0 list -> bool **)

let one_cost types = match types with
| [] -> true
| i :: _ ->
  forallb (fun j ->
    labels_eqb (map snd (concat i.cells)) (map snd (concat j.cells))) types

(** val top_of : type0 list -> vector **)

let top_of = function
| [] -> []
| i :: _ -> map (fun c -> pred (length c)) i.cells

(** val star_columns : vector -> vector -> Big_int_Z.big_int **)

let rec star_columns v top =
  match v with
  | [] -> Big_int_Z.zero_big_int
  | l :: v' ->
    (match top with
     | [] -> Big_int_Z.zero_big_int
     | h :: top' ->
       Z.add
         (if Nat.eqb l h
          then Big_int_Z.unit_big_int
          else Big_int_Z.zero_big_int) (star_columns v' top'))

(** val lexical :
    Big_int_Z.big_int -> vector -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let rec lexical radix v before =
  match v with
  | [] -> before
  | l :: v' -> lexical radix v' (Z.add (Z.mul before radix) (Z.of_nat l))

type order = { dictionary : vector trie; in_order : vector list;
               same_costs : bool; base : Big_int_Z.big_int;
               ordinal : (vector -> Big_int_Z.big_int) }

(** val order_of : vector list -> type0 list -> order **)

let order_of vectors types =
  let top = top_of types in
  let radix =
    Z.add Big_int_Z.unit_big_int (Z.of_nat (fold_right Nat.max O top))
  in
  let size = Z.pow radix (Z.of_nat (length top)) in
  let base0 =
    Z.mul size (Z.add (Z.of_nat (length top)) Big_int_Z.unit_big_int)
  in
  let ordinal0 = fun v ->
    Z.add (Z.mul (star_columns v top) size)
      (lexical radix v Big_int_Z.zero_big_int)
  in
  let uniform = one_cost types in
  let sorted =
    match types with
    | [] -> vectors
    | i :: _ ->
      if uniform
      then map snd
             (RankSort.sort
               (map (fun v -> ((rank base0 ordinal0 v i), v)) vectors))
      else vectors
  in
  { dictionary = (part_by code_key vectors); in_order = sorted; same_costs =
  uniform; base = base0; ordinal = ordinal0 }

(** val skips : vector list -> order -> vector -> type0 list -> bool **)

let skips vectors o v g =
  skip vectors o.dictionary o.in_order o.same_costs o.base o.ordinal false v g

(** val hub_of :
    policy -> vector list -> order -> type0 list -> vector option **)

let hub_of p vectors o types =
  let top = top_of types in
  if (&&) p.suppress (allowed o.dictionary top)
  then None
  else (match types with
        | [] -> None
        | i :: _ ->
          let d = joint top (map (fun t0 -> t0.cells) types) in
          Some
          (if allowed o.dictionary d
           then d
           else first_above vectors o.in_order o.same_costs o.base o.ordinal
                  d top i))

(** val width : row list -> nat **)

let width = function
| [] -> O
| r :: _ -> length (fst r)

(** val vectors_of : policy -> nat -> vector list **)

let vectors_of p m =
  filter (fun v -> Nat.eqb (length v) m) p.mask0

(** val priced_bound :
    policy -> row list -> priced -> Big_int_Z.big_int option **)

let priced_bound p original c =
  let m = width original in
  (match types_of original c with
   | Some types ->
     if (&&) (Z.ltb Big_int_Z.zero_big_int c.in_parts)
          (tidy m (map (fun t0 -> t0.cells) types))
     then let vectors = vectors_of p m in
          let o = order_of vectors types in
          let hub =
            match c.components with
            | Some _ -> hub_of p vectors o types
            | None -> None
          in
          if apart p m vectors hub (skips vectors o) types
          then Some
                 (all_parts c.in_parts (fun own ->
                   best p m vectors c.in_parts hub (skips vectors o) own
                     c.trees) (step_of types) types)
          else None
     else None
   | None -> None)

(** val required_bound :
    policy -> row list -> required_prices -> Big_int_Z.big_int option **)

let required_bound p original c =
  let m = width original in
  (match whole_types original c.type_prices with
   | Some types ->
     if (&&) (Z.ltb Big_int_Z.zero_big_int c.its_parts)
          (tidy m (map (fun t0 -> t0.cells) types))
     then let vectors = vectors_of p m in
          let o = order_of vectors types in
          let charges =
            part_by (fun x -> code_key (fst (fst x)))
              (flat_map (charge_for (map snd original) p.required)
                c.multipliers)
          in
          Some
          (rounded_up
            (required_value p m vectors c.its_parts (skips vectors o)
              (charges_in charges) types) c.its_parts (step_of types))
     else None
   | None -> None)

(** val lower_bound :
    policy -> row list -> certificate -> Big_int_Z.big_int option **)

let lower_bound p original = function
| ByPrices c0 -> priced_bound p original c0
| ByMatching c0 -> matching_bound p original c0
| ByRequired c0 -> required_bound p original c0

(** val fitting : vector -> cell list -> bool **)

let rec fitting v cells0 =
  match v with
  | [] -> (match cells0 with
           | [] -> true
           | _ :: _ -> false)
  | l :: v' ->
    (match cells0 with
     | [] -> false
     | c :: cells' -> (&&) (Nat.ltb l (length c)) (fitting v' cells'))

(** val made : (row * vector) -> record **)

let made rv =
  ((shown (snd rv) (fst (fst rv))), (snd (fst rv)))

(** val record_eqb : record -> record -> bool **)

let record_eqb x y =
  (&&) (labels_eqb (fst x) (fst y)) (Z.eqb (snd x) (snd y))

(** val records_eqb : record list -> record list -> bool **)

let rec records_eqb x y =
  match x with
  | [] -> (match y with
           | [] -> true
           | _ :: _ -> false)
  | a :: x' ->
    (match y with
     | [] -> false
     | b :: y' -> (&&) (record_eqb a b) (records_eqb x' y'))

(** val crowds : policy -> record list -> bool **)

let crowds p released =
  forallb (fun r -> (||) (free p (fst r)) (Z.leb p.k (snd r)))
    (runs labels_eqb (LabelsSort.sort (map fst released)))

(** val hash : label list -> Big_int_Z.big_int **)

let hash x =
  Z.to_pos
    (Z.add Big_int_Z.unit_big_int
      (fold_left (fun h l ->
        Z.modulo
          (Z.add
            (Z.mul h
              ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
              ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
              ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
              ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
              Big_int_Z.unit_big_int))))) l) (Big_int_Z.mult_int_big_int 2
          (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
          (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
          (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
          (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
          (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
          (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
          (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
          (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
          (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
          (Big_int_Z.mult_int_big_int 2
          Big_int_Z.unit_big_int))))))))))))))))))))) x
        Big_int_Z.zero_big_int))

(** val all_meet : policy -> row list -> record list -> bool **)

let all_meet p original released =
  let judges = map (meets_now (map snd original)) p.required in
  let dictionary0 = part_by (fun r -> hash (fst r)) released in
  forallb (fun x ->
    let class0 =
      map snd
        (filter (fun r -> labels_eqb (fst r) (fst x))
          (get (hash (fst x)) dictionary0))
    in
    forallb (fun judge -> judge class0) judges)
    (match judges with
     | [] -> []
     | _ :: _ -> runs labels_eqb (LabelsSort.sort (map fst released)))

(** val accepts :
    policy -> row list -> record list -> vector list -> Big_int_Z.big_int
    option **)

let accepts p original released vectors =
  let assigned = combine original vectors in
  let dictionary0 = part_by code_key p.mask0 in
  if (&&)
       ((&&)
         ((&&)
           ((&&) (Nat.eqb (length original) (length vectors))
             (forallb (fun rv ->
               (&&) (allowed dictionary0 (snd rv))
                 (fitting (snd rv) (fst (fst rv)))) assigned))
           (records_eqb (RecordSort.sort released)
             (RecordSort.sort (map made assigned)))) (crowds p released))
       (all_meet p original released)
  then Some (sum (fun rv -> cost (snd rv) (fst (fst rv))) assigned)
  else None
