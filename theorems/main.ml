(* Reads whole numbers, calls what is proved, prints the answers; question after question, to the end of what is read. Not proved
   itself: this file, the compiler, Zarith.

   k, whether outliers are suppressed (1), columns m; for every column its values d and levels h, then for every value h pairs
   of label and cost; vectors q, then m levels each; rows n, then for every row its m values and a number for its other columns;
   requirements, for each its kind and the value that every such number stands for, then: 0, whole and the share of every value;
   1 and the least number of values; 2, most, whole and, value by value, how far it is from every value (a list of lists);
   3, l and whole (entropy); 4, l, c and whole (recursive); or 5, the values of every column (a list of lists) and l (joint);
   0, or a certificate: 1, parts, prices with their number before them, 1 and components, or 0, and trees;
   or 2, scale and unit of a matching, 1 and the places of two requirements that let no value have more than half of a class, or
   0, prices of its sets, and for every row its price and the numbers of its sets;
   or 3, parts, prices by type (rows that are equal in all columns) and multipliers: m levels, a type, the place of a requirement,
   0 and pairs of value and number; 1, two numbers and such pairs; 2, three numbers, such pairs of weights and of logarithms; or
   3 and terms, each a number, a value and a list of values;
   1 and, where there is a release, its rows (number, then m labels and the other columns each) and n vectors; else 0.
   Lists have their length before them. A tree: component, instances (m levels and a type each), cuts, node. A cut: 0 and instances (C);
   1, types, instances (T); 2, types and pairs of an instance and two types (S); 3, types, instances of part and of full (F).
   A node: 0, then pairs of type and change of price, pairs of cut and weight; or 1, instance, closed node, open node. *)
open Proved

let text =
  let whole = Buffer.create 65536 and piece = Bytes.create 65536 in
  let rec read () = match input stdin piece 0 65536 with
    | 0 -> Buffer.contents whole
    | n -> Buffer.add_subbytes whole piece 0 n; read () in
  read ()
let at = ref 0
let blank c = c = ' ' || c = '\n'
let word () =
  while !at < String.length text && blank text.[!at] do incr at done;
  let from = !at in
  while !at < String.length text && not (blank text.[!at]) do incr at done;
  String.sub text from (!at - from)
let int () = int_of_string (word ())
let z () = Big_int_Z.big_int_of_string (word ())
let many n f =
  let rec go n l = if n = 0 then List.rev l else let x = f () in go (n - 1) (x :: l) in
  if n < 0 || n > String.length text then failwith "length" else go n []
(* every level once: they are unary *)
let levels = Array.make 4098 O
let () = for l = 1 to 4097 do levels.(l) <- S levels.(l - 1) done
let level () = let l = int () in if l < 0 || l > 4097 then failwith "level" else levels.(l)
let list f = many (int ()) f
let pair () = let a = z () in let b = z () in (a, b)
let cut () = match int () with
  | 0 -> CutC (list z)
  | 1 -> let types = list z in CutT (types, list z)
  | 2 -> let types = list z in CutS (types, list (fun () -> let g = z () in (g, pair ())))
  | _ -> let types = list z in let part = list z in CutF (types, part, list z)
let rec node () = match int () with
  | 0 -> let moves = list pair in Leaf (moves, list pair)
  | _ -> let instance = z () in let closed = node () in Branch (instance, closed, node ())
(* what is asked of a number that is not there is 0: nothing is asked of it *)
let at_ table x = match Big_int_Z.int_of_big_int x with
  | i when i >= 0 && i < Array.length table -> table.(i)
  | _ | exception _ -> Big_int_Z.zero_big_int
let numbers () = Array.of_list (list z)
let requirement () =
  let kind = int () in
  if kind = 5 then let values = list (fun () -> at_ (numbers ())) in Joint (values, level ()) else
  let value = at_ (numbers ()) in
  match kind with
  | 0 -> let whole = z () in let shares = numbers () in Shares (value, at_ shares, whole)
  | 1 -> Distinct (value, z ())
  | 3 -> let l = z () in Entropy (value, l, z ())
  | 4 -> let l = level () in let c = z () in Recursive (value, l, c, z ())
  | _ -> let most = z () in let whole = z () in let apart = Array.of_list (list numbers) in
    let far x y = match Big_int_Z.int_of_big_int x with
      | i when i >= 0 && i < Array.length apart -> at_ apart.(i) y
      | _ | exception _ -> Big_int_Z.zero_big_int in
    Close (value, far, most, whole)
let multiplier () = match int () with
  | 0 -> OfShares (list pair)
  | 2 -> let each = z () in let parts = z () in let base = z () in let weights = list pair in
    OfEntropy (each, parts, base, weights, list pair)
  | 3 -> OfRecursive (list (fun () -> let term = pair () in (term, list z)))
  | _ -> let each = z () in let parts = z () in OfClose (each, parts, list pair)
let answer name = function
  | Some n -> Printf.printf "%s %s\n" name (Big_int_Z.string_of_big_int n)
  | None -> Printf.printf "%s none\n" name

let question () =
  let k = z () in
  let suppress = int () = 1 in
  let m = int () in
  let columns = many m (fun () ->
    let d = int () in let h = int () in
    Array.of_list (many d (fun () -> many h (fun () -> let label = z () in let cost = z () in (label, cost))))) in
  let vectors = let q = int () in many q (fun () -> many m (fun () -> level ())) in
  let n = int () in
  let original = many n (fun () ->
    let cells = List.map (fun column -> column.(int ())) columns in (cells, z ())) in
  let policy = { mask0 = vectors; k; suppress; required = list requirement } in
  begin match int () with
  | 1 ->
    let in_parts = z () in
    let t = int () in
    let prices = many t z in
    let components = if int () = 1 then Some (many t z) else None in
    let trees = list (fun () ->
      let of_part = z () in
      let instances = list (fun () -> let vector = many m (fun () -> level ()) in (vector, z ())) in
      let cuts = list cut in
      { of_part; instances; cuts; root = node () }) in
    answer "bound" (lower_bound policy original (ByPrices { in_parts; prices; components; trees }))
  | 2 ->
    let scale = z () in
    let unit_ = z () in
    let judged = if int () = 1 then (let one = level () in Some (one, level ())) else None in
    let set_prices = list z in
    let row_prices = many n (fun () -> let price = z () in (price, list z)) in
    answer "bound" (lower_bound policy original (ByMatching { scale; unit_; row_prices; set_prices; judged }))
  | 3 ->
    let its_parts = z () in
    let type_prices = list z in
    let multipliers = list (fun () ->
      let vector = many m level in let place = z () in let which = z () in (((vector, place), which), multiplier ())) in
    answer "bound" (lower_bound policy original (ByRequired { its_parts; type_prices; multipliers }))
  | _ -> ()
  end;
  if int () = 1 then begin
    let released = let r = int () in many r (fun () -> let labels = many m z in (labels, z ())) in
    let vectors = many n (fun () -> many m (fun () -> level ())) in
    answer "cost" (accepts policy original released vectors)
  end
let () =
  let rec next () = match word () with
    | "" -> ()
    | first -> at := !at - String.length first; question (); next () in
  next ()
