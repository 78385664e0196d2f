
val negb : bool -> bool

type nat =
| O
| S of nat

val fst : ('a1 * 'a2) -> 'a1

val snd : ('a1 * 'a2) -> 'a2

val length : 'a1 list -> nat

val app : 'a1 list -> 'a1 list -> 'a1 list

type comparison =
| Eq
| Lt
| Gt

val pred : nat -> nat

val add : nat -> nat -> nat

module type TotalLeBool' =
 sig
  type t

  val leb : t -> t -> bool
 end

module Nat :
 sig
  val eqb : nat -> nat -> bool

  val leb : nat -> nat -> bool

  val ltb : nat -> nat -> bool

  val max : nat -> nat -> nat
 end

module Pos :
 sig
  type mask =
  | IsNul
  | IsPos of Big_int_Z.big_int
  | IsNeg
 end

module Coq_Pos :
 sig
  val succ : Big_int_Z.big_int -> Big_int_Z.big_int

  val add : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val add_carry : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int

  type mask = Pos.mask =
  | IsNul
  | IsPos of Big_int_Z.big_int
  | IsNeg

  val succ_double_mask : mask -> mask

  val double_mask : mask -> mask

  val double_pred_mask : Big_int_Z.big_int -> mask

  val sub_mask : Big_int_Z.big_int -> Big_int_Z.big_int -> mask

  val sub_mask_carry : Big_int_Z.big_int -> Big_int_Z.big_int -> mask

  val sub : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val mul : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val iter : ('a1 -> 'a1) -> 'a1 -> Big_int_Z.big_int -> 'a1

  val div2 : Big_int_Z.big_int -> Big_int_Z.big_int

  val div2_up : Big_int_Z.big_int -> Big_int_Z.big_int

  val size_nat : Big_int_Z.big_int -> nat

  val compare_cont :
    comparison -> Big_int_Z.big_int -> Big_int_Z.big_int -> comparison

  val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison

  val eqb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val gcdn :
    nat -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val gcd : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val iter_op : ('a1 -> 'a1 -> 'a1) -> Big_int_Z.big_int -> 'a1 -> 'a1

  val to_nat : Big_int_Z.big_int -> nat

  val of_succ_nat : nat -> Big_int_Z.big_int

  val eq_dec : Big_int_Z.big_int -> Big_int_Z.big_int -> bool
 end

module Z :
 sig
  val double : Big_int_Z.big_int -> Big_int_Z.big_int

  val succ_double : Big_int_Z.big_int -> Big_int_Z.big_int

  val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int

  val pos_sub : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val add : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val opp : Big_int_Z.big_int -> Big_int_Z.big_int

  val sub : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val mul : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val pow_pos : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val pow : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison

  val leb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val ltb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val eqb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val max : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val min : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val abs : Big_int_Z.big_int -> Big_int_Z.big_int

  val to_nat : Big_int_Z.big_int -> nat

  val of_nat : nat -> Big_int_Z.big_int

  val of_N : Big_int_Z.big_int -> Big_int_Z.big_int

  val to_pos : Big_int_Z.big_int -> Big_int_Z.big_int

  val pos_div_eucl :
    Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int * Big_int_Z.big_int

  val div_eucl :
    Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int * Big_int_Z.big_int

  val div : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val modulo : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val div2 : Big_int_Z.big_int -> Big_int_Z.big_int

  val gcd : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val shiftl : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val eq_dec : Big_int_Z.big_int -> Big_int_Z.big_int -> bool
 end

val hd : 'a1 -> 'a1 list -> 'a1

val tl : 'a1 list -> 'a1 list

val in_dec : ('a1 -> 'a1 -> bool) -> 'a1 -> 'a1 list -> bool

val nth : nat -> 'a1 list -> 'a1 -> 'a1

val nth_error : 'a1 list -> nat -> 'a1 option

val rev : 'a1 list -> 'a1 list

val concat : 'a1 list list -> 'a1 list

val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list

val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list

val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1

val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1

val existsb : ('a1 -> bool) -> 'a1 list -> bool

val forallb : ('a1 -> bool) -> 'a1 list -> bool

val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list

val find : ('a1 -> bool) -> 'a1 list -> 'a1 option

val combine : 'a1 list -> 'a2 list -> ('a1 * 'a2) list

val nodup : ('a1 -> 'a1 -> bool) -> 'a1 list -> 'a1 list

val seq : nat -> nat -> nat list

type label = Big_int_Z.big_int

val star : label

type cell = (label * Big_int_Z.big_int) list

val at_level : nat -> cell -> label * Big_int_Z.big_int

type row = cell list * Big_int_Z.big_int

type record = label list * Big_int_Z.big_int

type vector = nat list

val shown : vector -> cell list -> label list

val cost : vector -> cell list -> Big_int_Z.big_int

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

module Sort :
 functor (X:TotalLeBool') ->
 sig
  val merge : X.t list -> X.t list -> X.t list

  val merge_list_to_stack :
    X.t list option list -> X.t list -> X.t list option list

  val merge_stack : X.t list option list -> X.t list

  val iter_merge : X.t list option list -> X.t list -> X.t list

  val sort : X.t list -> X.t list

  val flatten_stack : X.t list option list -> X.t list
 end

val sum : ('a1 -> Big_int_Z.big_int) -> 'a1 list -> Big_int_Z.big_int

val number_of : ('a1 -> bool) -> 'a1 list -> Big_int_Z.big_int

type 'a trie =
| Tip
| Fork of 'a trie * 'a list * 'a trie

val insert : Big_int_Z.big_int -> 'a1 -> 'a1 trie -> 'a1 trie

val get : Big_int_Z.big_int -> 'a1 trie -> 'a1 list

val part_by : ('a1 -> Big_int_Z.big_int) -> 'a1 list -> 'a1 trie

val total : ('a1 list -> Big_int_Z.big_int) -> 'a1 trie -> Big_int_Z.big_int

val gather : ('a1 list -> 'a2 list) -> 'a1 trie -> 'a2 list -> 'a2 list

val product : ('a1 -> Big_int_Z.big_int) -> 'a1 list -> Big_int_Z.big_int

val fine : Big_int_Z.big_int

val times_up : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

val times_down : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

val power :
  (Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int) ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

val log_holds :
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> bool

val number_at :
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int ->
  Big_int_Z.big_int

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

val charge_at : charge -> Big_int_Z.big_int -> Big_int_Z.big_int

val shares_constant :
  (Big_int_Z.big_int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int

val close_constant :
  (Big_int_Z.big_int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int list ->
  Big_int_Z.big_int

val close_holds :
  (Big_int_Z.big_int -> Big_int_Z.big_int) -> (Big_int_Z.big_int ->
  Big_int_Z.big_int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  Big_int_Z.big_int list -> bool

val entropy_holds :
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int list ->
  bool

val recursive_term :
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  ((Big_int_Z.big_int * Big_int_Z.big_int) * Big_int_Z.big_int list) ->
  Big_int_Z.big_int

val by_value :
  Big_int_Z.big_int list -> (Big_int_Z.big_int -> Big_int_Z.big_int) ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list

val charge_of :
  Big_int_Z.big_int list -> requirement -> multiplier -> charge option

type type0 = { cells : cell list; count : Big_int_Z.big_int;
               price : Big_int_Z.big_int; part : Big_int_Z.big_int;
               place : Big_int_Z.big_int; other : Big_int_Z.big_int }

val rows_of : type0 list -> Big_int_Z.big_int

val vector_eqb : vector -> vector -> bool

val labels_eqb : label list -> label list -> bool

val shows : vector -> type0 -> label list

val pays : vector -> type0 -> Big_int_Z.big_int

val alike : vector -> label list -> type0 -> bool

val stars : label list -> bool

val free : policy -> label list -> bool

val places : label -> nat -> cell -> (nat * Big_int_Z.big_int) list

val places_eqb :
  (nat * Big_int_Z.big_int) list -> (nat * Big_int_Z.big_int) list -> bool

val key : label -> Big_int_Z.big_int

val column_tidy : cell list -> bool

val one_height : cell list -> bool

val tidy : nat -> cell list list -> bool

type instance = { paid : Big_int_Z.big_int; blank : bool; at_vector : 
                  vector; members : type0 list }

type some = (cell list * type0) list

val level_key : vector -> Big_int_Z.big_int

val label_key : nat -> (cell list * type0) -> Big_int_Z.big_int

val popped : (cell list * type0) -> cell list * type0

val walk :
  (bool -> Big_int_Z.big_int -> type0 list -> bool) -> nat -> vector list ->
  bool -> Big_int_Z.big_int -> vector -> some -> instance list

val never : bool -> Big_int_Z.big_int -> type0 list -> bool

val group : type0 list -> vector -> label list -> type0 list

val same_at : nat -> cell list -> bool

val climb : nat -> nat -> cell list -> nat

val joint : vector -> cell list list -> vector

val above : vector -> vector -> bool

val code : vector -> Big_int_Z.big_int -> Big_int_Z.big_int

val code_key : vector -> Big_int_Z.big_int

val alike_all : vector -> type0 list -> bool

val allowed : vector trie -> vector -> bool

val rank :
  Big_int_Z.big_int -> (vector -> Big_int_Z.big_int) -> vector -> type0 ->
  Big_int_Z.big_int

val least_rank :
  Big_int_Z.big_int -> (vector -> Big_int_Z.big_int) -> type0 -> vector ->
  vector -> Big_int_Z.big_int -> vector list -> vector

val first_above :
  vector list -> vector list -> bool -> Big_int_Z.big_int -> (vector ->
  Big_int_Z.big_int) -> vector -> vector -> type0 -> vector

val skip :
  vector list -> vector trie -> vector list -> bool -> Big_int_Z.big_int ->
  (vector -> Big_int_Z.big_int) -> bool -> vector -> type0 list -> bool

module TermOrder :
 sig
  type t = Big_int_Z.big_int * Big_int_Z.big_int

  val leb : t -> t -> bool
 end

module TermSort :
 sig
  val merge :
    (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list

  val merge_list_to_stack :
    (Big_int_Z.big_int * Big_int_Z.big_int) list option list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list option list

  val merge_stack :
    (Big_int_Z.big_int * Big_int_Z.big_int) list option list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list

  val iter_merge :
    (Big_int_Z.big_int * Big_int_Z.big_int) list option list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list

  val sort :
    (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list

  val flatten_stack :
    (Big_int_Z.big_int * Big_int_Z.big_int) list option list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list
 end

val nth_term :
  Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  Big_int_Z.big_int

val hint :
  Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  Big_int_Z.big_int

val below :
  Big_int_Z.big_int -> Big_int_Z.big_int ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int

val least :
  Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  Big_int_Z.big_int

val negative :
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int

val terms :
  (type0 -> Big_int_Z.big_int) -> type0 list ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list

val decorated : type0 list -> some

val part_key : type0 -> Big_int_Z.big_int

val one_part : type0 list -> bool

val few : Big_int_Z.big_int -> type0 list -> bool

val gcd_cell : cell -> Big_int_Z.big_int -> Big_int_Z.big_int

val gcd_cells : cell list -> Big_int_Z.big_int -> Big_int_Z.big_int

val step_of : type0 list -> Big_int_Z.big_int

val rounded_up :
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int

val is_hub : vector option -> vector -> bool

val dear :
  (type0 -> Big_int_Z.big_int) -> Big_int_Z.big_int -> type0 list -> bool

val stop :
  policy -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int) -> bool ->
  Big_int_Z.big_int -> type0 list -> bool

val stop_few : policy -> bool -> Big_int_Z.big_int -> type0 list -> bool

val adds :
  policy -> Big_int_Z.big_int -> (vector -> type0 list -> bool) -> (vector ->
  type0 list -> bool) -> (type0 -> Big_int_Z.big_int) -> bool -> instance ->
  Big_int_Z.big_int

val value :
  policy -> nat -> vector list -> Big_int_Z.big_int -> vector option ->
  (vector -> type0 list -> bool) -> (vector -> type0 list -> bool) -> (type0
  -> Big_int_Z.big_int) -> type0 list -> Big_int_Z.big_int

val apart :
  policy -> nat -> vector list -> vector option -> (vector -> type0 list ->
  bool) -> type0 list -> bool

val all_parts :
  Big_int_Z.big_int -> (type0 list -> Big_int_Z.big_int) -> Big_int_Z.big_int
  -> type0 list -> Big_int_Z.big_int

type named = { number : Big_int_Z.big_int; stands : vector;
               face : label list; rows : type0 list }

val same_instance : named -> named -> bool

val distinct : named list -> bool

type cut =
| CutC of Big_int_Z.big_int list
| CutT of Big_int_Z.big_int list * Big_int_Z.big_int list
| CutS of Big_int_Z.big_int list
   * (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list
| CutF of Big_int_Z.big_int list * Big_int_Z.big_int list
   * Big_int_Z.big_int list

type number_set = Big_int_Z.big_int trie

val set_of : Big_int_Z.big_int list -> number_set

val member : Big_int_Z.big_int -> number_set -> bool

val listed : Big_int_Z.big_int list -> named -> bool

val here : number_set -> type0 -> bool

val as_number : bool -> Big_int_Z.big_int

val rows_in : (type0 -> bool) -> type0 list -> Big_int_Z.big_int

type inequality = { divisor : Big_int_Z.big_int; side : Big_int_Z.big_int;
                    touches : (named -> bool);
                    opens : (named -> Big_int_Z.big_int);
                    takes : (named -> type0 -> Big_int_Z.big_int) }

val together : type0 list -> named -> named -> Big_int_Z.big_int

val crossing : Big_int_Z.big_int -> type0 list -> named list -> bool

val pair_of :
  (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list -> named
  -> (Big_int_Z.big_int * Big_int_Z.big_int) option

val good_pair :
  Big_int_Z.big_int list ->
  (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) -> bool

val is_type : Big_int_Z.big_int -> type0 -> bool

val cut_C :
  Big_int_Z.big_int -> type0 list -> named list -> Big_int_Z.big_int list ->
  inequality option

val cut_T :
  Big_int_Z.big_int -> type0 list -> Big_int_Z.big_int list ->
  Big_int_Z.big_int list -> inequality option

val cut_S :
  Big_int_Z.big_int -> type0 list -> Big_int_Z.big_int list ->
  (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list ->
  inequality option

val cut_F :
  Big_int_Z.big_int -> type0 list -> named list -> Big_int_Z.big_int list ->
  Big_int_Z.big_int list -> Big_int_Z.big_int list -> inequality option

val inequality_of :
  Big_int_Z.big_int -> type0 list -> named list -> cut -> inequality option

val name_of :
  policy -> vector option -> type0 list -> Big_int_Z.big_int ->
  (vector * Big_int_Z.big_int) -> named option

val names_of :
  policy -> vector option -> type0 list -> Big_int_Z.big_int ->
  (vector * Big_int_Z.big_int) list -> named list option

val named_there : named trie -> vector -> type0 list -> bool

val moved_price :
  (Big_int_Z.big_int * Big_int_Z.big_int) trie -> type0 -> Big_int_Z.big_int

val weighed :
  inequality list -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  (Big_int_Z.big_int * inequality) list option

type state = (Big_int_Z.big_int * bool) list

val is_open : state -> named -> bool option

val named_adds :
  policy -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int) ->
  (Big_int_Z.big_int * inequality) list -> state -> named -> Big_int_Z.big_int

val leaf_value :
  policy -> nat -> vector list -> Big_int_Z.big_int -> vector option ->
  (vector -> type0 list -> bool) -> type0 list -> named list -> (type0 ->
  Big_int_Z.big_int) -> (Big_int_Z.big_int * inequality) list -> state ->
  Big_int_Z.big_int

type node =
| Leaf of (Big_int_Z.big_int * Big_int_Z.big_int) list
   * (Big_int_Z.big_int * Big_int_Z.big_int) list
| Branch of Big_int_Z.big_int * node * node

type tree = { of_part : Big_int_Z.big_int;
              instances : (vector * Big_int_Z.big_int) list; cuts : cut list;
              root : node }

val node_value :
  policy -> nat -> vector list -> Big_int_Z.big_int -> vector option ->
  (vector -> type0 list -> bool) -> type0 list -> named list -> inequality
  list -> state -> node -> Big_int_Z.big_int option

val all_of : ('a1 -> 'a2 option) -> 'a1 list -> 'a2 list option

val tree_value :
  policy -> nat -> vector list -> Big_int_Z.big_int -> vector option ->
  (vector -> type0 list -> bool) -> type0 list -> tree -> Big_int_Z.big_int
  option

val best :
  policy -> nat -> vector list -> Big_int_Z.big_int -> vector option ->
  (vector -> type0 list -> bool) -> type0 list -> tree list ->
  Big_int_Z.big_int

type matching = { scale : Big_int_Z.big_int; unit_ : Big_int_Z.big_int;
                  row_prices : (Big_int_Z.big_int * Big_int_Z.big_int list)
                               list; set_prices : Big_int_Z.big_int list;
                  judged : (nat * nat) option }

val numbered : Big_int_Z.big_int -> 'a1 list -> (Big_int_Z.big_int * 'a1) list

val single_rows :
  Big_int_Z.big_int -> row list -> (Big_int_Z.big_int * Big_int_Z.big_int
  list) list -> type0 list option

val near_cell : cell -> cell -> cell -> Big_int_Z.big_int option

val near : cell list -> cell list -> cell list -> Big_int_Z.big_int option

val within : vector -> cell list -> bool

val halving :
  requirement list -> Big_int_Z.big_int list -> nat -> (Big_int_Z.big_int ->
  Big_int_Z.big_int) option

val both_halving :
  requirement list -> Big_int_Z.big_int list -> (nat * nat) ->
  ((Big_int_Z.big_int -> Big_int_Z.big_int) * (Big_int_Z.big_int ->
  Big_int_Z.big_int)) option

val in_set :
  (type0 -> Big_int_Z.big_int list) -> Big_int_Z.big_int -> type0 -> bool

val odd : Big_int_Z.big_int -> Big_int_Z.big_int

val asked :
  (type0 -> Big_int_Z.big_int list) ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> type0 list ->
  Big_int_Z.big_int

val lifted :
  (type0 -> Big_int_Z.big_int list) ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> type0 -> Big_int_Z.big_int

val clash :
  ((Big_int_Z.big_int -> Big_int_Z.big_int) * (Big_int_Z.big_int ->
  Big_int_Z.big_int)) option -> type0 -> type0 -> bool

val pays_for :
  vector list -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int
  -> Big_int_Z.big_int -> type0 -> type0 -> type0 -> bool

val pair_good :
  vector list -> ((Big_int_Z.big_int ->
  Big_int_Z.big_int) * (Big_int_Z.big_int -> Big_int_Z.big_int)) option ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int list)
  -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  (type0 * Big_int_Z.big_int) -> (type0 * Big_int_Z.big_int) -> bool

val pairs_good :
  vector list -> ((Big_int_Z.big_int ->
  Big_int_Z.big_int) * (Big_int_Z.big_int -> Big_int_Z.big_int)) option ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int list)
  -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  (type0 * Big_int_Z.big_int) list -> bool

val triples_with :
  vector list -> ((Big_int_Z.big_int ->
  Big_int_Z.big_int) * (Big_int_Z.big_int -> Big_int_Z.big_int)) option ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int list)
  -> (Big_int_Z.big_int * Big_int_Z.big_int) list -> type0 -> type0 list ->
  bool

val triples_good :
  vector list -> ((Big_int_Z.big_int ->
  Big_int_Z.big_int) * (Big_int_Z.big_int -> Big_int_Z.big_int)) option ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int list)
  -> (Big_int_Z.big_int * Big_int_Z.big_int) list -> type0 list -> bool

val set_good :
  vector list -> ((Big_int_Z.big_int ->
  Big_int_Z.big_int) * (Big_int_Z.big_int -> Big_int_Z.big_int)) option ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int list)
  -> (Big_int_Z.big_int * Big_int_Z.big_int) list -> type0 list ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> bool

val single :
  policy -> ((Big_int_Z.big_int -> Big_int_Z.big_int) * (Big_int_Z.big_int ->
  Big_int_Z.big_int)) option -> bool

val alone_good :
  policy -> vector list -> ((Big_int_Z.big_int ->
  Big_int_Z.big_int) * (Big_int_Z.big_int -> Big_int_Z.big_int)) option ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int list)
  -> (Big_int_Z.big_int * Big_int_Z.big_int) list -> type0 -> bool

val prices_good :
  policy -> vector list -> ((Big_int_Z.big_int ->
  Big_int_Z.big_int) * (Big_int_Z.big_int -> Big_int_Z.big_int)) option ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int list)
  -> (Big_int_Z.big_int * Big_int_Z.big_int) list -> type0 list -> bool

val matching_bound :
  policy -> row list -> matching -> Big_int_Z.big_int option

val labels_leb : label list -> label list -> bool

val values : cell list -> label list

module RowOrder :
 sig
  type t = cell list

  val leb : t -> t -> bool
 end

module RowSort :
 sig
  val merge : cell list list -> cell list list -> cell list list

  val merge_list_to_stack :
    cell list list option list -> cell list list -> cell list list option list

  val merge_stack : cell list list option list -> cell list list

  val iter_merge :
    cell list list option list -> cell list list -> cell list list

  val sort : cell list list -> cell list list

  val flatten_stack : cell list list option list -> cell list list
 end

module RecordOrder :
 sig
  type t = record

  val leb : t -> t -> bool
 end

module RecordSort :
 sig
  val merge : record list -> record list -> record list

  val merge_list_to_stack :
    record list option list -> record list -> record list option list

  val merge_stack : record list option list -> record list

  val iter_merge : record list option list -> record list -> record list

  val sort : record list -> record list

  val flatten_stack : record list option list -> record list
 end

module LabelsOrder :
 sig
  type t = label list

  val leb : t -> t -> bool
 end

module LabelsSort :
 sig
  val merge : label list list -> label list list -> label list list

  val merge_list_to_stack :
    label list list option list -> label list list -> label list list option
    list

  val merge_stack : label list list option list -> label list list

  val iter_merge :
    label list list option list -> label list list -> label list list

  val sort : label list list -> label list list

  val flatten_stack : label list list option list -> label list list
 end

val runs : ('a1 -> 'a1 -> bool) -> 'a1 list -> ('a1 * Big_int_Z.big_int) list

val cell_eqb : cell -> cell -> bool

val cells_eqb : cell list -> cell list -> bool

val zpower_alt : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

module NumberOrder :
 sig
  type t = Big_int_Z.big_int

  val leb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool
 end

module NumberSort :
 sig
  val merge :
    Big_int_Z.big_int list -> Big_int_Z.big_int list -> Big_int_Z.big_int list

  val merge_list_to_stack :
    Big_int_Z.big_int list option list -> Big_int_Z.big_int list ->
    Big_int_Z.big_int list option list

  val merge_stack :
    Big_int_Z.big_int list option list -> Big_int_Z.big_int list

  val iter_merge :
    Big_int_Z.big_int list option list -> Big_int_Z.big_int list ->
    Big_int_Z.big_int list

  val sort : Big_int_Z.big_int list -> Big_int_Z.big_int list

  val flatten_stack :
    Big_int_Z.big_int list option list -> Big_int_Z.big_int list
 end

val occurrences :
  Big_int_Z.big_int -> Big_int_Z.big_int list -> Big_int_Z.big_int

val counted :
  Big_int_Z.big_int list -> (Big_int_Z.big_int * Big_int_Z.big_int) list

type moves =
  ((Big_int_Z.big_int * Big_int_Z.big_int) * Big_int_Z.big_int) list

val leaving : Big_int_Z.big_int -> moves -> Big_int_Z.big_int

val coming : Big_int_Z.big_int -> moves -> Big_int_Z.big_int

val staying :
  (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  moves * (Big_int_Z.big_int * Big_int_Z.big_int) list

val along :
  nat -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> moves

val in_line :
  (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> moves

module NearOrder :
 sig
  type t = Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)

  val leb : t -> t -> bool
 end

module NearSort :
 sig
  val merge :
    (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list ->
    (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list ->
    (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list

  val merge_list_to_stack :
    (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list option
    list -> (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int))
    list -> (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int))
    list option list

  val merge_stack :
    (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list option
    list -> (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list

  val iter_merge :
    (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list option
    list -> (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int))
    list -> (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list

  val sort :
    (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list ->
    (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list

  val flatten_stack :
    (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list option
    list -> (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list
 end

val greedily :
  (Big_int_Z.big_int * (Big_int_Z.big_int * Big_int_Z.big_int)) list ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> moves -> moves

val nearest :
  (Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int) ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> moves

val moves_hold :
  (Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int) ->
  Big_int_Z.big_int -> Big_int_Z.big_int ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> moves -> bool

val spread_now :
  Big_int_Z.big_int -> Big_int_Z.big_int ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int -> bool

val recursive_now :
  nat -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int -> bool

val differ :
  (Big_int_Z.big_int -> Big_int_Z.big_int) list -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> bool

val search :
  (Big_int_Z.big_int -> Big_int_Z.big_int) list -> nat -> nat ->
  Big_int_Z.big_int list -> Big_int_Z.big_int list option

val all_differ :
  (Big_int_Z.big_int -> Big_int_Z.big_int) list -> Big_int_Z.big_int list ->
  bool

val joint_now :
  (Big_int_Z.big_int -> Big_int_Z.big_int) list -> nat -> Big_int_Z.big_int
  list -> bool

val meets_now :
  Big_int_Z.big_int list -> requirement -> Big_int_Z.big_int list -> bool

val several :
  requirement -> ((Big_int_Z.big_int ->
  Big_int_Z.big_int) * Big_int_Z.big_int) list

val values_of :
  (Big_int_Z.big_int -> Big_int_Z.big_int) -> type0 list -> Big_int_Z.big_int
  list

val lowest : Big_int_Z.big_int list -> Big_int_Z.big_int

val lowest_at :
  (Big_int_Z.big_int -> Big_int_Z.big_int) -> (type0 -> Big_int_Z.big_int) ->
  type0 trie -> Big_int_Z.big_int -> Big_int_Z.big_int

val above_least :
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int

val spread_least :
  (Big_int_Z.big_int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int) -> type0 list ->
  Big_int_Z.big_int

val shared :
  (Big_int_Z.big_int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  Big_int_Z.big_int

val shrunk :
  nat -> (Big_int_Z.big_int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  Big_int_Z.big_int

val rows_with :
  (Big_int_Z.big_int -> Big_int_Z.big_int) -> type0 trie -> Big_int_Z.big_int
  -> Big_int_Z.big_int

val hopeless : Big_int_Z.big_int -> type0 list -> requirement -> bool

val least_required :
  policy -> Big_int_Z.big_int -> (type0 -> Big_int_Z.big_int) -> type0 list
  -> Big_int_Z.big_int

val adds_required :
  policy -> Big_int_Z.big_int -> (vector -> type0 list -> bool) -> (vector ->
  type0 list -> charge list) -> instance -> Big_int_Z.big_int

val required_value :
  policy -> nat -> vector list -> Big_int_Z.big_int -> (vector -> type0 list
  -> bool) -> (vector -> type0 list -> charge list) -> type0 list ->
  Big_int_Z.big_int

type priced = { in_parts : Big_int_Z.big_int;
                prices : Big_int_Z.big_int list;
                components : Big_int_Z.big_int list option; trees : tree list }

val typed :
  Big_int_Z.big_int -> (cell list * Big_int_Z.big_int) list ->
  Big_int_Z.big_int list -> Big_int_Z.big_int list -> type0 list option

type required_prices = { its_parts : Big_int_Z.big_int;
                         type_prices : Big_int_Z.big_int list;
                         multipliers : (((vector * Big_int_Z.big_int) * Big_int_Z.big_int) * multiplier)
                                       list }

type certificate =
| ByPrices of priced
| ByMatching of matching
| ByRequired of required_prices

val types_of : row list -> priced -> type0 list option

module WholeOrder :
 sig
  type t = row

  val leb : t -> t -> bool
 end

module WholeSort :
 sig
  val merge : row list -> row list -> row list

  val merge_list_to_stack :
    row list option list -> row list -> row list option list

  val merge_stack : row list option list -> row list

  val iter_merge : row list option list -> row list -> row list

  val sort : row list -> row list

  val flatten_stack : row list option list -> row list
 end

val row_eqb : row -> row -> bool

val typed_whole :
  Big_int_Z.big_int -> (row * Big_int_Z.big_int) list -> Big_int_Z.big_int
  list -> type0 list option

val whole_types : row list -> Big_int_Z.big_int list -> type0 list option

val charge_for :
  Big_int_Z.big_int list -> requirement list ->
  (((vector * Big_int_Z.big_int) * Big_int_Z.big_int) * multiplier) ->
  ((vector * Big_int_Z.big_int) * charge) list

val charges_in :
  ((vector * Big_int_Z.big_int) * charge) trie -> vector -> type0 list ->
  charge list

module RankOrder :
 sig
  type t = Big_int_Z.big_int * vector

  val leb : t -> t -> bool
 end

module RankSort :
 sig
  val merge :
    (Big_int_Z.big_int * vector) list -> (Big_int_Z.big_int * vector) list ->
    (Big_int_Z.big_int * vector) list

  val merge_list_to_stack :
    (Big_int_Z.big_int * vector) list option list ->
    (Big_int_Z.big_int * vector) list -> (Big_int_Z.big_int * vector) list
    option list

  val merge_stack :
    (Big_int_Z.big_int * vector) list option list ->
    (Big_int_Z.big_int * vector) list

  val iter_merge :
    (Big_int_Z.big_int * vector) list option list ->
    (Big_int_Z.big_int * vector) list -> (Big_int_Z.big_int * vector) list

  val sort :
    (Big_int_Z.big_int * vector) list -> (Big_int_Z.big_int * vector) list

  val flatten_stack :
    (Big_int_Z.big_int * vector) list option list ->
    (Big_int_Z.big_int * vector) list
 end

val one_cost : type0 list -> bool

val top_of : type0 list -> vector

val star_columns : vector -> vector -> Big_int_Z.big_int

val lexical :
  Big_int_Z.big_int -> vector -> Big_int_Z.big_int -> Big_int_Z.big_int

type order = { dictionary : vector trie; in_order : vector list;
               same_costs : bool; base : Big_int_Z.big_int;
               ordinal : (vector -> Big_int_Z.big_int) }

val order_of : vector list -> type0 list -> order

val skips : vector list -> order -> vector -> type0 list -> bool

val hub_of : policy -> vector list -> order -> type0 list -> vector option

val width : row list -> nat

val vectors_of : policy -> nat -> vector list

val priced_bound : policy -> row list -> priced -> Big_int_Z.big_int option

val required_bound :
  policy -> row list -> required_prices -> Big_int_Z.big_int option

val lower_bound :
  policy -> row list -> certificate -> Big_int_Z.big_int option

val fitting : vector -> cell list -> bool

val made : (row * vector) -> record

val record_eqb : record -> record -> bool

val records_eqb : record list -> record list -> bool

val crowds : policy -> record list -> bool

val hash : label list -> Big_int_Z.big_int

val all_meet : policy -> row list -> record list -> bool

val accepts :
  policy -> row list -> record list -> vector list -> Big_int_Z.big_int option
