(** The two proved functions as OCaml; whole numbers are Zarith's, levels stay unary. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
From Incrowd Require Import Statement Bound Release.
Extraction "proved.ml" lower_bound accepts.
