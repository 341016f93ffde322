(* Noise rounded to a grid (SPEC 12, certificate/src/rounded.rs): amounts along masks and through nodes become whole, at no more than a
   quarter of a squared step for each that was not. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "Strict Subproofs".

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section WholeFlows.

(* Edges between two different nodes; one of the nodes may be the ground, to which what leaves through the others flows. *)
Variables (R : realFieldType) (E V : finType) (from to : E -> V).
Hypothesis ends_differ : forall e, from e != to e.
Implicit Types (x y k g : E -> R) (e : E) (v : V).

Definition is_whole (r : R) : Prop := exists z : int, r = z%:~R.
Definition sign e v : R := (to e == v)%:R - (from e == v)%:R.
(* What flows into a node. *)
Definition arrives x v : R := \sum_e x e * sign e v.

Lemma whole_sum (P : pred E) x : (forall e, P e -> is_whole (x e)) -> is_whole (\sum_(e | P e) x e).
Proof.
move=> all_whole; apply: big_ind => //; first by exists 0.
by move=> _ _ [a ->] [b ->]; exists (a + b); rewrite intrD.
Qed.

Lemma sign_is_whole e v : is_whole (sign e v).
Proof. by exists ((to e == v)%:Z - (from e == v)%:Z); rewrite rmorphB. Qed.

Lemma whole_product r s : is_whole r -> is_whole s -> is_whole (r * s).
Proof. by move=> [a ->] [b ->]; exists (a * b); rewrite intrM. Qed.

Section Box.

(* Each amount is between a whole number and the next. *)
Variable a : E -> int.
Definition low e : R := (a e)%:~R.
Definition inside x e : bool := low e < x e < low e + 1.
Definition in_box x : Prop := forall e, low e <= x e <= low e + 1.

Lemma ends_are_whole x e : in_box x -> ~~ inside x e -> x e = low e \/ x e = low e + 1.
Proof.
move=> box; have /andP[le_x x_le] := box e; rewrite negb_and -!leNgt.
by case/orP=> h; [left|right]; apply/le_anti; rewrite h ?le_x ?x_le.
Qed.

Lemma whole_outside x e : in_box x -> ~~ inside x e -> is_whole (x e).
Proof. by move=> box /(ends_are_whole box)[->|->]; [exists (a e)|exists (a e + 1); rewrite intrD]. Qed.

Lemma inside_is_not_whole x e : inside x e -> ~ is_whole (x e).
Proof.
case/andP=> above below [z is_z]; move: above below; rewrite is_z /low ltr_int -(intrD _ _ 1) ltr_int ltz_addr1.
by move=> lt le; move: (lt_le_trans lt le); rewrite ltxx.
Qed.

Definition touches e v : bool := (from e == v) || (to e == v).

Lemma sign_outside e v : ~~ touches e v -> sign e v = 0.
Proof. by rewrite negb_or /sign => /andP[/negbTE-> /negbTE->]; rewrite subrr. Qed.

Lemma sign_of_end e v : touches e v -> sign e v = 1 \/ sign e v = -1.
Proof.
rewrite /touches /sign; case: eqP => [<-|_] /= => [_|->]; last by left; rewrite subr0.
by right; rewrite eq_sym (negbTE (ends_differ e)) sub0r.
Qed.

(* Where whole amounts arrive everywhere, some amounts that are not whole can go around. *)
Lemma amounts_go_around x e0 : in_box x -> (forall v, is_whole (arrives x v)) -> inside x e0 ->
  exists k, [/\ exists e, k e != 0, forall e, k e != 0 -> inside x e & forall v, arrives k v = 0].
Proof.
move=> box whole e0_in; pose F := [set e | inside x e]; pose VF := [set v | [exists e in F, touches e v]].
have e0F : e0 \in F by rewrite inE.
have two v : v \in VF -> (1 < #|[set e in F | touches e v]|)%N.
  rewrite inE => /existsP[e1 /andP[e1F at_v]]; rewrite ltnNge; apply/negP=> one.
  have only e : e != e1 -> e \in F -> ~~ touches e v.
    move=> ne eF; apply/negP=> te; move: one; rewrite leqNgt => /negP; apply; apply/card_gt1P.
    by exists e, e1; rewrite !inE -!(in_set (inside x)) eF e1F te at_v.
  have [z is_z] := whole v; have e1_in : inside x e1 by move: e1F; rewrite inE.
  apply: (inside_is_not_whole e1_in).
  have rest : is_whole (\sum_(e | e != e1) x e * sign e v).
    apply: whole_sum => e ne; have [eF|eF] := boolP (e \in F).
      by rewrite (sign_outside (only e ne eF)) mulr0; exists 0.
    by apply: whole_product; [apply: whole_outside => //; rewrite inE in eF|apply: sign_is_whole].
  move: is_z; rewrite /arrives (bigD1 e1) //=; case: rest => r ->.
  case: (sign_of_end at_v) => ->; rewrite ?mulr1 ?mulrN1 => h; [exists (z - r)|exists (r - z)]; rewrite rmorphB /= -h; ring.
have few : (#|VF| <= #|F|)%N.
  rewrite -(leq_pmul2r (ltn0Sn 1)).
  have both e : (\sum_v touches e v = 2)%N.
    rewrite (bigD1 (from e)) //= (bigD1 (to e)) /=; last by rewrite eq_sym.
    rewrite /touches !eqxx orbT big1 // => v /andP[vf vt].
    by rewrite eq_sym (negbTE vf) eq_sym (negbTE vt).
  have -> : (#|F| * 2 = \sum_v #|[set e in F | touches e v]|)%N.
    transitivity (\sum_(e in F) \sum_v touches e v)%N; first by rewrite (eq_bigr _ (fun e _ => both e)) sum_nat_const.
    rewrite exchange_big; apply: eq_bigr => v _; rewrite -sum1_card.
    rewrite [RHS](eq_bigl (fun e => (e \in F) && touches e v)) => [|e]; last by rewrite !inE.
    by rewrite big_mkcondr; apply: eq_bigr => e _; case: touches.
  rewrite -sum_nat_const big_mkcond /=; apply: leq_sum => v _; by case: ifP => // /two.
pose M : 'M[R]_(#|F|, #|VF|) := \matrix_(i, j) sign (enum_val i) (enum_val j).
have sum0 : const_mx 1 *m M^T = 0 :> 'rV_#|F|.
  apply/matrixP=> i j; rewrite !mxE; under eq_bigr do rewrite !mxE mul1r.
  rewrite -(big_enum_val (fun v => sign (enum_val j) v)) /=; set e := enum_val j.
  have eF : e \in F by apply: enum_valP.
  have inVF v : touches e v -> v \in VF by move=> t; rewrite inE; apply/existsP; exists e; rewrite eF.
  have one w : w \in VF -> \sum_(v in VF) (w == v)%:R = 1 :> R.
    move=> wV; rewrite (bigD1 w) //= eqxx big1 ?addr0 // => v /andP[_ /negbTE]; by rewrite eq_sym => ->.
  by rewrite sumrB !one ?subrr //; apply: inVF; rewrite /touches eqxx ?orbT.
have VF_gt0 : (0 < #|VF|)%N.
  apply/card_gt0P; exists (from e0); rewrite inE; apply/existsP; exists e0; by rewrite e0F /touches eqxx.
have not_free : ~~ row_free M.
  rewrite /row_free neq_ltn -mxrank_tr; apply/orP; left; apply: leq_trans few; rewrite ltn_neqAle rank_leq_row andbT.
  apply/negP=> /eqP full; have free : row_free M^T by apply/eqP.
  move/eqP: sum0; rewrite -(mul0mx _ M^T) => /eqP /(row_free_inj free) /matrixP/(_ 0 (Ordinal VF_gt0)).
  by rewrite !mxE => /eqP; rewrite oner_eq0.
move: not_free; rewrite -kermx_eq0 => /rowV0Pn[r /sub_kermxP rM r0].
pose k e := if e \in F then r 0 (enum_rank_in e0F e) else 0.
exists k; split=> [|e|v].
- have [i ri] : exists i, r 0 i != 0.
    apply/existsP; apply: contraNT r0 => /existsPn none; apply/eqP/matrixP=> i j; rewrite ord1 mxE.
    by apply/eqP; rewrite -[_ == _]negbK none.
  by exists (enum_val i); rewrite /k enum_valP enum_valK_in.
- by rewrite /k; case: ifP => [|_ /eqP//]; rewrite inE.
- rewrite /arrives (bigID (mem F)) /= [X in _ + X]big1 ?addr0 => [|e /negbTE eF]; last by rewrite /k eF mul0r.
  have [vV|vV] := boolP (v \in VF); last first.
    apply: big1 => e eF; rewrite sign_outside ?mulr0 //; apply: contra vV => t; rewrite inE.
    by apply/existsP; exists e; rewrite eF.
  rewrite (big_enum_val (fun e => k e * sign e v)) /=.
  have /matrixP/(_ 0 (enum_rank_in vV v)) := rM; rewrite !mxE => {2}<-; apply: eq_bigr => i _.
  by rewrite mxE /k enum_valP enum_valK_in enum_rankK_in.
Qed.

(* Amounts become whole without raising any cost that is linear between the whole numbers, and without a change of what arrives. *)
Lemma amounts_become_whole g x : in_box x -> (forall v, is_whole (arrives x v)) ->
  exists y, [/\ forall e, y e = low e \/ y e = low e + 1, forall v, arrives y v = arrives x v,
    forall e, ~~ inside x e -> y e = x e & \sum_e g e * y e <= \sum_e g e * x e].
Proof.
move: {2}_.+1 (ltnSn #|[set e | inside x e]|) => n; elim: n x => // n IH x; rewrite ltnS => most box whole.
have [/existsP[e0 e0_in]|/existsPn none] := boolP [exists e, inside x e]; last first.
  by exists x; split=> // e; apply: (ends_are_whole box).
have [k0 [[e1 k0e1] only0 around0]] := amounts_go_around box whole e0_in.
have [k [[e2 ke2] only around] cheap] : exists2 k, [/\ exists e, k e != 0, forall e, k e != 0 -> inside x e & forall v, arrives k v = 0]
    & \sum_e g e * k e <= 0.
  have [le|/ltW ge] := leP (\sum_e g e * k0 e) 0; first by exists k0 => //; split=> //; exists e1.
  exists (fun e => - k0 e).
    split=> [|e|v]; [by exists e1; rewrite oppr_eq0|by rewrite oppr_eq0; apply: only0|].
    by rewrite /arrives; under eq_bigr do rewrite mulNr; rewrite sumrN -/(arrives k0 v) around0 oppr0.
  by under eq_bigr do rewrite mulrN; rewrite sumrN oppr_le0.
pose room e := (if 0 < k e then low e + 1 - x e else x e - low e) / `|k e|.
case: (@Order.TotalTheory.arg_minP _ _ _ e2 (fun e => k e != 0) room ke2) => e3 ke3 least.
set t := room e3 in least; pose x' e := x e + t * k e.
have t_ge0 : 0 <= t.
  rewrite /t /room divr_ge0 ?normr_ge0 //; have /andP[lo hi] := box e3.
  by case: ifP; rewrite subr_ge0.
have moves e : k e != 0 -> t * `|k e| <= (if 0 < k e then low e + 1 - x e else x e - low e).
  by move=> ke; rewrite -ler_pdivl_mulr ?normr_gt0 //; apply: least.
have box' : in_box x'.
  move=> e; rewrite /x'; have [k0e|ke] := eqVneq (k e) 0; first by rewrite k0e mulr0 addr0.
  have /andP[lo hi] := box e; have := moves e ke; case: ifP => [pos|/negbT]; last rewrite -leNgt => neg.
    rewrite gtr0_norm // => le; apply/andP; split; last by rewrite addrC -ler_subr_addr.
    by rewrite (le_trans lo) // ler_addl mulr_ge0 // ltW.
  rewrite ler0_norm // mulrN => le; apply/andP; split; last by rewrite (le_trans _ hi) // ger_addl mulr_ge0_le0.
  by rewrite -(ler_add2r (- (t * k e))) addrK addrC -ler_subr_addr.
have stays e : ~~ inside x e -> x' e = x e.
  by rewrite /x' => out; have [->|/only] := eqVneq (k e) 0; [rewrite mulr0 addr0|rewrite (negbTE out)].
have e3_out : ~~ inside x' e3.
  have : t * `|k e3| = (if 0 < k e3 then low e3 + 1 - x e3 else x e3 - low e3) by rewrite /t /room divfK ?normr_eq0.
  rewrite /inside /x'; case: ifP => [pos|/negbT]; last rewrite -leNgt => neg.
    by rewrite gtr0_norm // => ->; rewrite addrC subrK ltxx andbF.
  by rewrite ler0_norm // mulrN => /eqP; rewrite eqr_oppLR opprB => /eqP ->; rewrite addrC subrK ltxx.
have fewer : (#|[set e | inside x' e]| < n)%N.
  apply: leq_trans most; apply: proper_card; apply/properP; split.
    by apply/subsetP=> e; rewrite !inE; apply: contraLR => out; rewrite /inside stays.
  by exists e3; rewrite !inE ?only.
have same v : arrives x' v = arrives x v.
  rewrite /arrives; under eq_bigr do rewrite /x' mulrDl -mulrA.
  by rewrite big_split /= -mulr_sumr -/(arrives k v) around mulr0 addr0.
have [|y [ends y_same y_stays le]] := IH x' fewer box'; first by move=> v; rewrite same.
exists y; split=> // [v|e out|]; first by rewrite y_same same.
  by rewrite y_stays ?stays // /inside stays.
apply: le_trans le _; under eq_bigr do rewrite /x' mulrDr mulrCA.
by rewrite big_split /= -mulr_sumr ger_addl mulr_ge0_le0.
Qed.

End Box.

(* Every amount has a whole number below it. *)
Definition has_floors x : Prop := exists a : E -> int, forall e, (a e)%:~R <= x e < (a e)%:~R + 1.

(* Whole amounts with the same arrivals cost no more than squares and a quarter for each amount that is not whole; where nothing flowed,
   nothing flows. *)
Theorem whole_amounts_cost_a_quarter_more c x : has_floors x -> (forall e, 0 <= c e) -> (forall v, is_whole (arrives x v)) ->
  exists y, [/\ forall e, is_whole (y e), forall v, arrives y v = arrives x v, forall e, is_whole (x e) -> y e = x e &
    forall broken : pred E, (forall e, ~~ broken e -> is_whole (x e)) ->
    \sum_e c e * y e ^+ 2 <= \sum_e c e * x e ^+ 2 + 4%:R^-1 * \sum_(e | broken e) c e].
Proof.
move=> [a floors] c_ge0 whole; pose g e := c e * (2%:R * low a e + 1).
have box : in_box a x by move=> e; have /andP[lo /ltW hi] := floors e; rewrite lo hi.
have [y [ends same stays le]] := amounts_become_whole g box whole.
have whole_stays e : is_whole (x e) -> y e = x e by move=> w; apply: stays; apply/negP=> /inside_is_not_whole.
exists y; split=> // [e|broken all_broken].
  by case: (ends e) => ->; [exists (a e)|exists (a e + 1); rewrite intrD].
have chord e : y e ^+ 2 = (2%:R * low a e + 1) * y e - low a e * (low a e + 1) by case: (ends e) => ->; ring.
have -> : \sum_e c e * y e ^+ 2 = \sum_e g e * y e - \sum_e c e * (low a e * (low a e + 1)).
  by rewrite -sumrB; apply: eq_bigr => e _; rewrite chord /g; ring.
apply: le_trans (ler_sub le (lexx _)) _; rewrite mulr_sumr [X in _ <= _ + X]big_mkcond -sumrB -big_split.
apply: ler_sum => e _ /=; rewrite -subr_ge0; case: ifP => [_|/negbT/all_broken/whole_stays same_e].
  rewrite [X in 0 <= X](_ : _ = c e * (x e - low a e - 2%:R^-1) ^+ 2); last by rewrite /g; field.
  by rewrite mulr_ge0 ?sqr_ge0.
rewrite [X in 0 <= X](_ : _ = c e * ((x e - low a e) * (x e - low a e - 1))); last by rewrite /g; ring.
by rewrite -same_e; case: (ends e) => ->; rewrite ?subrr ?mul0r ?mulr0 // [low a e + 1]addrC addrK subrr !mulr0.
Qed.

End WholeFlows.
