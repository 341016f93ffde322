(* The certificates of certificates/ and of the test vectors vectors/v1, as terms: written by
   `UPDATE=1 cargo test -p muffliato-certificate theorems`, which fails while this file is out of date and compares the verdicts
   of the two checkers. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect.
From Muffliato Require Import fractions protocol checker.
From Muffliato Require linear rounding.

Local Open Scope nat_scope.

Definition holds_absorption_on_a_path : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (139) 1250)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1)]]).

Definition holds_absorption_with_fresh_noise : certificate :=
  Certificate
    (Protocol 4 (nseq 4 (Network [:: (0, 1); (1, 2); (2, 3); (1, 3)] (Lazy MaxDegreeInverse))) 2 [::] (nseq 4 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2; 3]
    true (Qmake (16059) 10000)
    (Absorption (nseq 4 (Qmake (3) 4)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1); (1, 2, Qmake (1) 3); (2, 1, Qmake (1) 1); (2, 3, Qmake (1) 5); (3, 1, Qmake (1) 1)]]).

Definition holds_alibi_in_the_paper_s_view : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 2] false false) [:: 0]
    true (Qmake (1) 2)
    (Alibis [:: ([:: [:: (0, 0, Qmake (1) 2); (0, 2, Qmake (1) 2)]], None)]).

Definition holds_alibi_of_the_nearer : certificate :=
  Certificate
    (Protocol 5 (nseq 3 (Network [:: (0, 1); (1, 3); (1, 4); (2, 3); (2, 4)] Metropolis)) 3 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 3]
    true (Qmake (1) 2)
    (Alibis [:: ([:: [:: (0, 3, Qmake (1) 2); (0, 4, Qmake (1) 2)]], None)]).

Definition holds_alibi_with_fresh_noise : certificate :=
  Certificate
    (Protocol 3 (nseq 3 (Network [:: (0, 1); (1, 2)] Metropolis)) 3 [::] (nseq 3 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (52) 81)
    (Alibis [:: ([:: [::]], None)]).

Definition holds_alibi_with_reactions : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [:: Qmake (1) 2; Qmake (1) 2; Qmake (1) 2])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (1) 36)
    (Alibis [:: ([:: [::]; [::]], None)]).

Definition holds_alibis_in_two_phases : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 2 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (1) 9)
    (Alibis [:: ([:: [::]], None); ([:: [::]], None)]).

Definition holds_alibis_of_a_group : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 1; 2]
    true (Qmake (25) 9)
    (Alibis [:: ([:: [::]; [::]; [::]; [::]], None)]).

Definition holds_alibis_of_a_group_in_two_phases : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 2 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 1; 2]
    true (Qmake (16) 9)
    (Alibis [:: ([:: [::]; [::]], None); ([:: [::]; [::]], None); ([:: [::]; [::]], None); ([:: [::]; [::]], None)]).

Definition holds_alibis_with_a_dual_vector : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 2); (0, 3); (0, 4)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 3] true false) [:: 1; 2]
    true (Qmake (4) 3)
    (Alibis [:: ([:: [:: (0, 1, Qmake (1) 3); (0, 2, Qmake (1) 3); (0, 4, Qmake (1) 3)]; [:: (0, 1, Qmake (1) 3); (0, 2, Qmake (1) 3); (0, 4, Qmake (1) 3)]], Some [:: Qmake (2) 3; Qmake (2) 3])]).

Definition holds_attack_in_the_paper_s_view : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 2] false false) [:: 0]
    false (Qmake (1) 2)
    (Attack [:: (0, 0, Qmake (1) 1)] [:: (0, 1, Qmake (-1) 1); (1, 1, Qmake (3) 1)] [::]).

Definition holds_attack_on_a_group : certificate :=
  Certificate
    (Protocol 3 [:: Average 0 1; Average 1 2] 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 2] true false) [:: 0; 1]
    false (Qmake (2) 1)
    (Attack [:: (0, 0, Qmake (1) 1); (0, 1, Qmake (1) 1)] [:: (1, 1, Qmake (1) 1)] [::]).

Definition holds_attack_on_a_path : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 2] true false) [:: 0]
    false (Qmake (1) 1)
    (Attack [:: (0, 0, Qmake (1) 1)] [:: (0, 1, Qmake (-1) 1); (1, 1, Qmake (3) 1)] [:: (0, 2, Qmake (-1) 1)]).

Definition holds_attack_on_the_farther : certificate :=
  Certificate
    (Protocol 5 (nseq 3 (Network [:: (0, 1); (1, 3); (1, 4); (2, 3); (2, 4)] Metropolis)) 3 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (1) 1)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-1) 2); (1, 1, Qmake (-4) 1); (2, 1, Qmake (6) 1)] [:: (0, 0, Qmake (-1) 2)]).

Definition holds_command_accelerated_absorption : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 3 [::] (nseq 4 (squared (Qmake (1) 2))) (Qmake (6) 5) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (16793893129771) 50000000000000)
    (Absorption (nseq 4 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (0, 2, Qmake (5908825832411) 17592186044416); (1, 1, Qmake (1) 1); (1, 2, Qmake (2426508408089) 17592186044416); (2, 1, Qmake (1) 1)]]).

Definition holds_command_accelerated_attack : certificate :=
  Certificate
    (Protocol 4 (nseq 4 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 4 [::] [::] (Qmake (6) 5) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 3]
    false (Qmake (1) 1)
    (Attack [:: (0, 3, Qmake (1) 1)] [:: (0, 1, Qmake (1) 2); (1, 1, Qmake (-6) 1); (2, 1, Qmake (15) 2)] [:: (0, 0, Qmake (-1) 1)]).

Definition holds_command_accelerated_descent : certificate :=
  Certificate
    (Protocol 4 (nseq 6 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 3 [::] [::] (Qmake (5) 4) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (2) 1)
    (Absorption (nseq 4 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (0, 2, Qmake (1) 1); (0, 3, Qmake (1) 1); (3, 1, Qmake (1) 1); (3, 2, Qmake (1) 1); (3, 3, Qmake (1) 1)]]).

Definition holds_command_accelerated_one_shot : certificate :=
  Certificate
    (Protocol 5 (nseq 3 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 3 [::] [::] (Qmake (5) 4) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (1) 1)
    (Alibis [:: ([:: [:: (0, 2, Qmake (1) 1)]], None)]).

Definition holds_command_cube : certificate :=
  Certificate
    (Protocol 4 (nseq 2 (Network [:: (0, 1); (0, 2); (1, 3); (2, 3)] MaxDegreeInverse)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 3]
    true (Qmake (1) 1)
    (Alibis [:: ([:: [:: (0, 3, Qmake (1) 1)]], None)]).

Definition holds_command_custom_weights : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] (Custom [:: (0, 0, Qmake (1) 2); (0, 1, Qmake (1) 2); (1, 1, Qmake (1) 4); (1, 0, Qmake (1) 2); (1, 2, Qmake (1) 4); (2, 2, Qmake (1) 2); (2, 1, Qmake (1) 4); (2, 3, Qmake (1) 4); (3, 3, Qmake (3) 4); (3, 2, Qmake (1) 4)]))) 3 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (1) 1)
    (Alibis [:: ([:: [:: (0, 2, Qmake (1) 1)]], None)]).

Definition holds_command_dropout : certificate :=
  Certificate
    (Protocol 5 (nseq 1 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis) ++ nseq 1 (Network [:: (1, 2); (2, 3); (3, 4)] Metropolis) ++ nseq 1 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 3 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (349) 385)
    (Alibis [:: ([:: [:: (0, 2, Qmake (349) 385); (0, 3, Qmake (108) 385); (0, 4, Qmake (-6) 77)]], None)]).

Definition holds_command_flow : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] (nseq 5 (squared (Qmake (2) 1))) [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (82199546485261) 250000000000000)
    (Flows [:: [:: [:: (2, 1, Qmake (263038549) 1000000000); (2, 3, Qmake (81632653) 200000000); (3, 4, Qmake (22675737) 125000000)]]]).

Definition holds_command_flows_of_a_group : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] (nseq 5 (squared (Qmake (2) 1))) [::])
    (ViewOf [:: 0] true false) [:: 2; 3]
    true (Qmake (138888888888889) 125000000000000)
    (Flows [:: [:: [:: (2, 1, Qmake (263038549) 1000000000); (2, 3, Qmake (81632653) 200000000); (3, 4, Qmake (22675737) 125000000)]; [:: (3, 2, Qmake (81632653) 200000000); (3, 4, Qmake (263038549) 1000000000); (2, 1, Qmake (22675737) 125000000)]]]).

Definition holds_command_group_attack : certificate :=
  Certificate
    (Protocol 6 (nseq 3 (Network [:: (0, 1); (0, 5); (1, 2); (2, 3); (3, 4); (4, 5)] Metropolis)) 3 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2; 3]
    false (Qmake (2) 1)
    (Attack [:: (0, 2, Qmake (1) 1); (0, 3, Qmake (1) 1)] [:: (0, 1, Qmake (-2) 1); (0, 5, Qmake (-1) 1); (1, 1, Qmake (-3) 1); (1, 5, Qmake (0) 1); (2, 1, Qmake (9) 1)] [:: (0, 0, Qmake (-1) 1)]).

Definition holds_command_masked_attack : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] (nseq 5 (squared (Qmake (2) 1))) [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (145) 441)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-29) 441); (0, 4, Qmake (-20) 441); (1, 1, Qmake (145) 147); (1, 4, Qmake (100) 147)] [:: (0, 0, Qmake (-5) 9); (0, 5, Qmake (-43) 147); (0, 6, Qmake (-55) 147)]).

Definition holds_command_path_coalition : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (1, 2); (2, 3); (3, 4)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 2; 4] true false) [:: 0]
    true (Qmake (1) 1)
    (Alibis [:: ([:: [:: (0, 0, Qmake (1) 1)]], None)]).

Definition holds_command_path_descent : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 3]
    true (Qmake (10989010989013) 1000000000000000)
    (Absorption (nseq 4 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (0, 3, Qmake (193320725757) 17592186044416); (1, 1, Qmake (1) 1); (1, 2, Qmake (879609302215) 8796093022208); (2, 1, Qmake (1) 1)]]).

Definition holds_command_path_descent_fresh : certificate :=
  Certificate
    (Protocol 4 (nseq 4 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 2 [::] (nseq 4 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 3]
    true (Qmake (8617941162263) 200000000000000)
    (Absorption (nseq 4 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (0, 3, Qmake (47377632051) 1099511627776); (1, 1, Qmake (1) 1); (1, 2, Qmake (225797026623) 4398046511104); (1, 3, Qmake (219802414069) 17592186044416); (2, 1, Qmake (1) 1); (2, 2, Qmake (5412980334257) 17592186044416); (3, 1, Qmake (1) 1)]]).

Definition holds_command_path_one_shot : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 2] true false) [:: 0]
    true (Qmake (1) 1)
    (Alibis [:: ([:: [:: (0, 0, Qmake (1) 1)]], None)]).

Definition holds_command_path_paper : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 2] false false) [:: 0]
    true (Qmake (1) 2)
    (Alibis [:: ([:: [:: (0, 0, Qmake (1) 2); (0, 2, Qmake (1) 2)]], None)]).

Definition holds_command_path_refreshed : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 3 [::] (nseq 4 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 3]
    true (Qmake (10638297872341) 250000000000000)
    (Absorption (nseq 4 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (0, 3, Qmake (187150913615) 4398046511104); (1, 1, Qmake (1) 1); (1, 2, Qmake (879609300279) 8796093022208); (2, 1, Qmake (1) 1)]]).

Definition holds_command_phases : certificate :=
  Certificate
    (Protocol 4 (nseq 4 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 2 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (123309723116549) 500000000000000)
    (Absorption (nseq 4 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (0, 2, Qmake (1149779062143) 8796093022208); (1, 1, Qmake (1) 1); (1, 2, Qmake (3870280929771) 17592186044416); (1, 3, Qmake (2345624805921) 17592186044416); (2, 1, Qmake (1) 1); (2, 2, Qmake (1759218604441) 17592186044416); (3, 1, Qmake (1) 1)]; [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1); (1, 2, Qmake (1915980661201) 17592186044416); (2, 1, Qmake (1) 1); (2, 2, Qmake (1759218611123) 17592186044416); (3, 1, Qmake (1) 1)]]).

Definition holds_command_phases_attack : certificate :=
  Certificate
    (Protocol 4 (nseq 4 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 2 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (6977) 28541)
    (Attack [:: (0, 2, Qmake (1) 1); (2, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-4298) 28541); (1, 1, Qmake (5424) 28541); (2, 1, Qmake (-1242) 28541); (3, 1, Qmake (9801) 28541)] [:: (0, 0, Qmake (-4661) 28541); (1, 0, Qmake (-2853) 28541); (2, 0, Qmake (-3267) 28541); (3, 0, Qmake (0) 1)]).

Definition holds_command_phases_of_a_group : certificate :=
  Certificate
    (Protocol 4 (nseq 4 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 2 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2; 3]
    true (Qmake (178550155916051) 500000000000000)
    (Absorption (nseq 4 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (0, 2, Qmake (1279302832017) 8796093022208); (0, 3, Qmake (1171744004915) 17592186044416); (1, 1, Qmake (1) 1); (1, 2, Qmake (3043727426059) 17592186044416); (1, 3, Qmake (937706323719) 17592186044416); (2, 1, Qmake (1) 1); (2, 2, Qmake (1759218604187) 17592186044416); (3, 1, Qmake (1) 1)]; [:: (0, 1, Qmake (1) 1); (0, 2, Qmake (1203586463835) 8796093022208); (1, 1, Qmake (1) 1); (1, 2, Qmake (560213698967) 2199023255552); (1, 3, Qmake (675889458089) 17592186044416); (2, 1, Qmake (1) 1); (2, 2, Qmake (1759218611657) 17592186044416); (3, 1, Qmake (1) 1)]; [:: (0, 1, Qmake (1) 1); (0, 3, Qmake (1103807103533) 17592186044416); (1, 1, Qmake (1) 1); (1, 2, Qmake (62384341861) 549755813888); (1, 3, Qmake (553297249597) 17592186044416); (2, 1, Qmake (1) 1); (2, 2, Qmake (879609302221) 8796093022208); (3, 1, Qmake (1) 1)]; [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1); (1, 2, Qmake (2086559622387) 17592186044416); (1, 3, Qmake (363712210593) 17592186044416); (2, 1, Qmake (1) 1); (2, 2, Qmake (1759218608659) 17592186044416); (3, 1, Qmake (1) 1)]]).

Definition holds_command_ring_lazy : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] (Lazy Metropolis))) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (1) 1)
    (Alibis [:: ([:: [:: (0, 2, Qmake (1) 1)]], None)]).

Definition holds_command_ring_one_shot : certificate :=
  Certificate
    (Protocol 5 (nseq 3 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 3 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (1) 1)
    (Alibis [:: ([:: [:: (0, 2, Qmake (1) 1)]], None)]).

Definition holds_command_ring_refreshed : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (0, 3); (1, 2); (2, 3)] Metropolis)) 3 [::] (nseq 4 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (30769230769231) 62500000000000)
    (Absorption (nseq 4 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (0, 2, Qmake (8660768495913) 17592186044416); (0, 3, Qmake (1) 1); (1, 1, Qmake (1) 1); (1, 2, Qmake (3198579249511) 17592186044416); (1, 3, Qmake (1) 1); (2, 1, Qmake (1) 1); (2, 3, Qmake (1) 1)]]).

Definition holds_command_star_group : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 2); (0, 3); (0, 4)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 3] true false) [:: 1; 2]
    true (Qmake (4) 3)
    (Alibis [:: ([:: [:: (0, 1, Qmake (1) 3); (0, 2, Qmake (1) 3); (0, 4, Qmake (1) 3)]; [:: (0, 1, Qmake (1) 3); (0, 2, Qmake (1) 3); (0, 4, Qmake (1) 3)]], None)]).

Definition holds_command_star_one_shot : certificate :=
  Certificate
    (Protocol 4 (nseq 2 (Network [:: (0, 1); (0, 2); (0, 3)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 2] true false) [:: 1]
    true (Qmake (1) 2)
    (Alibis [:: ([:: [:: (0, 1, Qmake (1) 2); (0, 3, Qmake (1) 2)]], None)]).

Definition refused_absorption_claims_less : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (1111) 10000)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1)]]).

Definition refused_absorption_is_heard : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (139) 1250)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1)]]).

Definition refused_absorption_of_too_much : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (139) 1250)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (2) 1)]]).

Definition refused_absorption_where_nodes_react : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [:: Qmake (1) 1; Qmake (1) 1; Qmake (2) 1])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (139) 1250)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1)]]).

Definition refused_absorption_where_steps_stretch : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (139) 1250)
    (Absorption (nseq 3 (Qmake (2) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1)]]).

Definition refused_accelerated_absorption : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 3 [::] (nseq 4 (squared (Qmake (1) 2))) (Qmake (5) 4) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (16793893129771) 50000000000000)
    (Absorption (nseq 4 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (0, 2, Qmake (5908825832411) 17592186044416); (1, 1, Qmake (1) 1); (1, 2, Qmake (2426508408089) 17592186044416); (2, 1, Qmake (1) 1)]]).

Definition refused_accelerated_attack : certificate :=
  Certificate
    (Protocol 4 (nseq 4 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 4 [::] [::] (Qmake (5) 4) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 3]
    false (Qmake (1) 1)
    (Attack [:: (0, 3, Qmake (1) 1)] [:: (0, 1, Qmake (1) 2); (1, 1, Qmake (-6) 1); (2, 1, Qmake (15) 2)] [:: (0, 0, Qmake (-1) 1)]).

Definition refused_acceleration_above_two : certificate :=
  Certificate
    (Protocol 4 (nseq 4 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 4 [::] [::] (Qmake (3) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 3]
    false (Qmake (1) 1)
    (Attack [:: (0, 3, Qmake (1) 1)] [:: (0, 1, Qmake (1) 2); (1, 1, Qmake (-6) 1); (2, 1, Qmake (15) 2)] [:: (0, 0, Qmake (-1) 1)]).

Definition refused_alibi_claims_less : certificate :=
  Certificate
    (Protocol 3 (nseq 3 (Network [:: (0, 1); (1, 2)] Metropolis)) 3 [::] (nseq 3 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (17) 27)
    (Alibis [:: ([:: [::]], None)]).

Definition refused_alibi_of_a_known_draw : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 2] true false) [:: 0]
    true (Qmake (1) 2)
    (Alibis [:: ([:: [:: (0, 0, Qmake (1) 2); (0, 2, Qmake (1) 2)]], None)]).

Definition refused_alibi_of_the_farther : certificate :=
  Certificate
    (Protocol 5 (nseq 3 (Network [:: (0, 1); (1, 3); (1, 4); (2, 3); (2, 4)] Metropolis)) 3 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (1) 2)
    (Alibis [:: ([:: [:: (0, 2, Qmake (1) 2); (0, 4, Qmake (1) 2)]], None)]).

Definition refused_alibi_with_reactions : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [:: Qmake (1) 2; Qmake (1) 2; Qmake (1) 2])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (1) 37)
    (Alibis [:: ([:: [::]; [::]], None)]).

Definition refused_alibi_without_noise : certificate :=
  Certificate
    (Protocol 3 (nseq 3 (Network [:: (0, 1); (1, 2)] Metropolis)) 3 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (52) 81)
    (Alibis [:: ([:: [::]], None)]).

Definition refused_alibis_of_a_group_in_one_phase : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 2 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 1; 2]
    true (Qmake (10) 9)
    (Alibis [:: ([:: [::]; [::]], None); ([:: [::]; [::]], None); ([:: [::]; [::]], None); ([:: [::]; [::]], None)]).

Definition refused_alibis_without_a_phase : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 2 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 1; 2]
    true (Qmake (16) 9)
    (Alibis [:: ([:: [::]; [::]], None)]).

Definition refused_attack_as_an_upper_bound : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 2] true false) [:: 0]
    true (Qmake (1) 1)
    (Attack [:: (0, 0, Qmake (1) 1)] [:: (0, 1, Qmake (-1) 1); (1, 1, Qmake (3) 1)] [:: (0, 2, Qmake (-1) 1)]).

Definition refused_attack_claims_more : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 2] true false) [:: 0]
    false (Qmake (10001) 10000)
    (Attack [:: (0, 0, Qmake (1) 1)] [:: (0, 1, Qmake (-1) 1); (1, 1, Qmake (3) 1)] [:: (0, 2, Qmake (-1) 1)]).

Definition refused_attack_in_two_phases : certificate :=
  Certificate
    (Protocol 4 (nseq 4 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 2 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (6977) 28541)
    (Attack [:: (0, 2, Qmake (1) 1); (1, 2, Qmake (1) 1); (2, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-4298) 28541); (1, 1, Qmake (5424) 28541); (2, 1, Qmake (-1242) 28541); (3, 1, Qmake (9801) 28541)] [:: (0, 0, Qmake (-4661) 28541); (1, 0, Qmake (-2853) 28541); (2, 0, Qmake (-3267) 28541); (3, 0, Qmake (0) 1)]).

Definition refused_attack_on_a_message_to_another : certificate :=
  Certificate
    (Protocol 3 [:: Average 0 1; Average 1 2] 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 2] true false) [:: 0; 1]
    false (Qmake (1) 1)
    (Attack [:: (0, 1, Qmake (1) 1)] [:: (0, 1, Qmake (1) 1)] [::]).

Definition refused_attack_with_an_unknown_mask : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] (nseq 5 (squared (Qmake (2) 1))) [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (145) 441)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-29) 441); (0, 4, Qmake (-20) 441); (1, 1, Qmake (145) 147); (1, 4, Qmake (100) 147)] [:: (0, 0, Qmake (-5) 9); (0, 5, Qmake (-43) 147); (0, 6, Qmake (-55) 147); (0, 7, Qmake (1) 10)]).

Definition refused_attack_with_unknown_noise : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 2] false false) [:: 0]
    false (Qmake (1) 1)
    (Attack [:: (0, 0, Qmake (1) 1)] [:: (0, 1, Qmake (-1) 1); (1, 1, Qmake (3) 1)] [:: (0, 2, Qmake (-1) 1)]).

Definition refused_custom_weights_not_symmetric : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] (Custom [:: (0, 0, Qmake (3) 4); (0, 1, Qmake (1) 4); (1, 1, Qmake (1) 4); (1, 0, Qmake (1) 2); (1, 2, Qmake (1) 4); (2, 2, Qmake (1) 2); (2, 1, Qmake (1) 4); (2, 3, Qmake (1) 4); (3, 3, Qmake (3) 4); (3, 2, Qmake (1) 4)]))) 3 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (1) 1)
    (Alibis [:: ([:: [:: (0, 2, Qmake (1) 1)]], None)]).

Definition refused_custom_weights_that_lose : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] (Custom [:: (0, 0, Qmake (1) 4); (0, 1, Qmake (1) 2); (1, 1, Qmake (1) 4); (1, 0, Qmake (1) 2); (1, 2, Qmake (1) 4); (2, 2, Qmake (1) 2); (2, 1, Qmake (1) 4); (2, 3, Qmake (1) 4); (3, 3, Qmake (3) 4); (3, 2, Qmake (1) 4)]))) 3 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (1) 1)
    (Alibis [:: ([:: [:: (0, 2, Qmake (1) 1)]], None)]).

Definition refused_dual_vector_claims_less : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 2); (0, 3); (0, 4)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 3] true false) [:: 1; 2]
    true (Qmake (5) 4)
    (Alibis [:: ([:: [:: (0, 1, Qmake (1) 3); (0, 2, Qmake (1) 3); (0, 4, Qmake (1) 3)]; [:: (0, 1, Qmake (1) 3); (0, 2, Qmake (1) 3); (0, 4, Qmake (1) 3)]], Some [:: Qmake (2) 3; Qmake (2) 3])]).

Definition refused_dual_vector_that_is_none : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 2); (0, 3); (0, 4)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 3] true false) [:: 1; 2]
    true (Qmake (4) 3)
    (Alibis [:: ([:: [:: (0, 1, Qmake (1) 3); (0, 2, Qmake (1) 3); (0, 4, Qmake (1) 3)]; [:: (0, 1, Qmake (1) 3); (0, 2, Qmake (1) 3); (0, 4, Qmake (1) 3)]], Some [:: Qmake (2) 3; Qmake (3) 5])]).

Definition refused_dual_vector_too_short : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 2); (0, 3); (0, 4)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 3] true false) [:: 1; 2]
    true (Qmake (4) 3)
    (Alibis [:: ([:: [:: (0, 1, Qmake (1) 3); (0, 2, Qmake (1) 3); (0, 4, Qmake (1) 3)]; [:: (0, 1, Qmake (1) 3); (0, 2, Qmake (1) 3); (0, 4, Qmake (1) 3)]], Some [:: Qmake (4) 3])]).

Definition refused_flow_along_a_known_mask : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] (nseq 5 (squared (Qmake (2) 1))) [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (82199546485261) 250000000000000)
    (Flows [:: [:: [:: (2, 1, Qmake (263038549) 1000000000); (2, 3, Qmake (81632653) 200000000); (3, 4, Qmake (22675737) 125000000); (1, 0, Qmake (1) 10)]]]).

Definition refused_flow_claims_less : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] (nseq 5 (squared (Qmake (2) 1))) [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (8) 25)
    (Flows [:: [:: [:: (2, 1, Qmake (263038549) 1000000000); (2, 3, Qmake (81632653) 200000000); (3, 4, Qmake (22675737) 125000000)]]]).

Definition refused_flow_twice_along_a_mask : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] (nseq 5 (squared (Qmake (2) 1))) [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (82199546485261) 250000000000000)
    (Flows [:: [:: [:: (2, 1, Qmake (263038549) 1000000000); (2, 3, Qmake (81632653) 200000000); (3, 4, Qmake (22675737) 125000000); (3, 2, Qmake (1) 10)]]]).

Definition refused_masked_attack : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] (nseq 5 (squared (Qmake (2) 1))) [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (145) 441)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-29) 441); (0, 4, Qmake (-20) 441); (1, 1, Qmake (145) 147); (1, 4, Qmake (100) 147)] [:: (0, 0, Qmake (-5) 9); (0, 5, Qmake (0) 1); (0, 6, Qmake (-55) 147)]).

Definition refused_source_that_observes : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 0]
    true (Qmake (2) 1)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [:: (0, 0, Qmake (1) 1); (1, 0, Qmake (1) 1)]]).

Definition vector_holds_absorption_hypercube_3_gd2x1_2_0 : certificate :=
  Certificate
    (Protocol 8 (nseq 2 (Network [:: (0, 1); (0, 2); (0, 4); (1, 3); (1, 5); (2, 3); (2, 6); (3, 7); (4, 5); (4, 6); (5, 7); (6, 7)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (100000001) 50000000)
    (Absorption (nseq 8 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (0, 2, Qmake (1) 1); (0, 4, Qmake (1) 1); (1, 1, Qmake (1) 1); (1, 2, Qmake (1) 1); (1, 4, Qmake (1) 1)]]).

Definition vector_holds_absorption_path_3_gd2x1_2_0 : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (111111112223) 1000000000000)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1)]]).

Definition vector_holds_absorption_path_4_custom_gd3x1_2_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] (Custom [:: (0, 0, Qmake (7) 10); (0, 1, Qmake (3) 10); (1, 0, Qmake (3) 10); (1, 1, Qmake (1) 5); (1, 2, Qmake (1) 2); (2, 1, Qmake (1) 2); (2, 2, Qmake (2) 5); (2, 3, Qmake (1) 10); (3, 2, Qmake (1) 10); (3, 3, Qmake (9) 10)]))) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (3700000037) 5000000000)
    (Absorption (nseq 4 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1); (2, 1, Qmake (1) 1)]]).

Definition vector_holds_absorption_path_4_gd3x1_2_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (77160494599) 250000000000)
    (Absorption (nseq 4 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1); (2, 1, Qmake (1) 1)]]).

Definition vector_holds_absorption_path_4_plan_gd3x1_2_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 1 [:: Qmake (1) 4; Qmake (2) 1; Qmake (1) 9; Qmake (1) 1] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (77160494599) 500000000000)
    (Absorption (nseq 4 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1); (2, 1, Qmake (1) 1)]]).

Definition vector_holds_absorption_ring_5_gd3x1_2_0 : certificate :=
  Certificate
    (Protocol 5 (nseq 3 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (320987657531) 1000000000000)
    (Absorption (nseq 5 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (0, 4, Qmake (1) 1); (1, 1, Qmake (1) 1); (1, 4, Qmake (1) 1); (2, 1, Qmake (1) 1); (2, 4, Qmake (1) 1)]]).

Definition vector_holds_absorption_star_5_gd2x2_tau1_2_2_1 : certificate :=
  Certificate
    (Protocol 5 (nseq 4 (Network [:: (0, 1); (0, 2); (0, 3); (0, 4)] Metropolis)) 2 [::] (nseq 5 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 1] true false) [:: 2]
    true (Qmake (7699200077) 12500000000)
    (Absorption (nseq 5 (Qmake (1) 1)) [:: [:: (0, 0, Qmake (1) 1); (1, 0, Qmake (1) 1); (2, 0, Qmake (1) 1); (3, 0, Qmake (1) 1)]]).

Definition vector_holds_alibi_path_3_tau1_2_T2_2_0 : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] (nseq 3 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (4) 9)
    (Alibis [:: ([:: [::]], None)]).

Definition vector_holds_alibi_path_5_tau1_3_T4_2_0 : certificate :=
  Certificate
    (Protocol 5 (nseq 4 (Network [:: (0, 1); (1, 2); (2, 3); (3, 4)] Metropolis)) 4 [::] (nseq 5 (squared (Qmake (1) 3))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (94) 81)
    (Alibis [:: ([:: [::]], None)]).

Definition vector_holds_alibi_ring_5_tau2_T3_2_0 : certificate :=
  Certificate
    (Protocol 5 (nseq 3 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 3 [::] (nseq 5 (squared (Qmake (2) 1))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (11) 324)
    (Alibis [:: ([:: [::]], None)]).

Definition vector_holds_attack_karate_T2_2_0 : certificate :=
  Certificate
    (Protocol 34 (nseq 2 (Network [:: (0, 1); (0, 2); (0, 3); (0, 4); (0, 5); (0, 6); (0, 7); (0, 8); (0, 10); (0, 11); (0, 12); (0, 13); (0, 17); (0, 19); (0, 21); (0, 31); (1, 2); (1, 3); (1, 7); (1, 13); (1, 17); (1, 19); (1, 21); (1, 30); (2, 3); (2, 7); (2, 8); (2, 9); (2, 13); (2, 27); (2, 28); (2, 32); (3, 7); (3, 12); (3, 13); (4, 6); (4, 10); (5, 6); (5, 10); (5, 16); (6, 16); (8, 30); (8, 32); (8, 33); (9, 33); (13, 33); (14, 32); (14, 33); (15, 32); (15, 33); (18, 32); (18, 33); (19, 33); (20, 32); (20, 33); (22, 32); (22, 33); (23, 25); (23, 27); (23, 29); (23, 32); (23, 33); (24, 25); (24, 27); (24, 31); (25, 31); (26, 29); (26, 33); (27, 33); (28, 31); (28, 33); (29, 32); (29, 33); (30, 32); (30, 33); (31, 32); (31, 33); (32, 33)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (1) 1)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 2, Qmake (1) 1)] [::]).

Definition vector_holds_attack_path_3_T2_2_0 : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (1) 1)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-1) 1); (1, 1, Qmake (3) 1)] [:: (0, 0, Qmake (-1) 1)]).

Definition vector_holds_attack_path_4_custom_gd3x1_2_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] (Custom [:: (0, 0, Qmake (7) 10); (0, 1, Qmake (3) 10); (1, 0, Qmake (3) 10); (1, 1, Qmake (1) 5); (1, 2, Qmake (1) 2); (2, 1, Qmake (1) 2); (2, 2, Qmake (2) 5); (2, 3, Qmake (1) 10); (3, 2, Qmake (1) 10); (3, 3, Qmake (9) 10)]))) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (565) 2569)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-1546) 12845); (1, 1, Qmake (134) 367); (2, 1, Qmake (320) 2569)] [:: (0, 0, Qmake (-1839) 12845); (1, 0, Qmake (-96) 2569)]).

Definition vector_holds_attack_path_4_gd3x1_2_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (100) 919)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-109) 919); (1, 1, Qmake (246) 919); (2, 1, Qmake (81) 919)] [:: (0, 0, Qmake (-109) 919); (1, 0, Qmake (-27) 919)]).

Definition vector_holds_attack_path_4_plan_gd3x1_2_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 1 [:: Qmake (1) 4; Qmake (2) 1; Qmake (1) 9; Qmake (1) 1] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (819) 13375)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-36) 535); (1, 1, Qmake (1971) 13375); (2, 1, Qmake (729) 13375)] [:: (0, 0, Qmake (-36) 535); (1, 0, Qmake (-243) 13375)]).

Definition vector_holds_attack_path_4_tau1_2_T3_2_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 3 [::] (nseq 4 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (206) 629)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-224) 629); (1, 1, Qmake (30) 37); (2, 1, Qmake (162) 629)] [:: (0, 0, Qmake (-224) 629); (1, 0, Qmake (-54) 629)]).

Definition vector_holds_attack_path_5_T4_2_0 : certificate :=
  Certificate
    (Protocol 5 (nseq 4 (Network [:: (0, 1); (1, 2); (2, 3); (3, 4)] Metropolis)) 4 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (1) 1)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-1) 1); (1, 1, Qmake (3) 1)] [:: (0, 0, Qmake (-1) 1)]).

Definition vector_holds_attack_ring_5_kappa2_T3_2_0 : certificate :=
  Certificate
    (Protocol 5 (nseq 3 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 3 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] (nseq 5 (squared (Qmake (2) 1))) [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (145) 441)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-29) 441); (0, 4, Qmake (-20) 441); (1, 1, Qmake (145) 147); (1, 4, Qmake (100) 147)] [:: (0, 0, Qmake (-5) 9); (0, 5, Qmake (-43) 147); (0, 6, Qmake (-55) 147)]).

Definition vector_holds_dual_ring_6_tau1_2_T4_2_3_0 : certificate :=
  Certificate
    (Protocol 6 (nseq 4 (Network [:: (0, 1); (0, 5); (1, 2); (2, 3); (3, 4); (4, 5)] Metropolis)) 4 [::] (nseq 6 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2; 3]
    true (Qmake (604) 729)
    (Alibis [:: ([:: [::]; [::]], Some [:: Qmake (440) 729; Qmake (164) 729])]).

Definition vector_holds_flow_complete_4_kappa1_2_1x1_1_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 1 (Network [:: (0, 1); (0, 2); (0, 3); (1, 2); (1, 3); (2, 3)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 2); (0, 3); (1, 2); (1, 3); (2, 3)] (nseq 6 (squared (Qmake (1) 2))) [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (5) 7)
    (Flows [:: [:: [:: (1, 2, Qmake (1) 7); (1, 3, Qmake (1) 7)]]]).

Definition vector_holds_flow_hypercube_3_kappa2_2x2_1_0 : certificate :=
  Certificate
    (Protocol 8 (nseq 4 (Network [:: (0, 1); (0, 2); (0, 4); (1, 3); (1, 5); (2, 3); (2, 6); (3, 7); (4, 5); (4, 6); (5, 7); (6, 7)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 2); (0, 4); (1, 3); (1, 5); (2, 3); (2, 6); (3, 7); (4, 5); (4, 6); (5, 7); (6, 7)] (nseq 12 (squared (Qmake (2) 1))) [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (12602) 25957)
    (Flows [:: [:: [:: (1, 3, Qmake (9828) 25957); (1, 5, Qmake (9828) 25957); (3, 2, Qmake (3536) 25957); (2, 6, Qmake (576) 25957); (3, 7, Qmake (2448) 25957); (5, 4, Qmake (3536) 25957); (4, 6, Qmake (576) 25957); (5, 7, Qmake (2448) 25957); (7, 6, Qmake (1664) 25957)]]]).

Definition vector_holds_flow_ring_4_kappa1_1x3_1_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (0, 3); (1, 2); (2, 3)] Metropolis)) 3 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 3); (1, 2); (2, 3)] (nseq 4 (squared (Qmake (1) 1))) [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (5) 8)
    (Flows [:: [:: [:: (1, 2, Qmake (3) 8); (2, 3, Qmake (1) 8)]]]).

Definition vector_holds_flow_ring_5_kappa2_3x1_every2_1_0 : certificate :=
  Certificate
    (Protocol 5 (nseq 3 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 2 [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] (nseq 5 (squared (Qmake (2) 1))) [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (362) 441)
    (Flows [:: [:: [:: (1, 2, Qmake (260) 441); (2, 3, Qmake (16) 49); (3, 4, Qmake (64) 441)]]]).

Definition vector_holds_flow_ring_5_kappa3_1x2_1_0 : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] (nseq 5 (squared (Qmake (3) 1))) [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (1261) 3781)
    (Flows [:: [:: [:: (1, 2, Qmake (2520) 3781); (2, 3, Qmake (81) 199); (3, 4, Qmake (729) 3781)]]]).

Definition vector_holds_grid_ring_4_kappa1_2x2_k1000_1_0 : rounding.claim_on_grid :=
  rounding.ClaimOnGrid
  (  Certificate
    (Protocol 4 (nseq 4 (Network [:: (0, 1); (0, 3); (1, 2); (2, 3)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 3); (1, 2); (2, 3)] (nseq 4 (squared (Qmake (1) 1))) [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (312501) 250000)
    (Flows [:: [:: [:: (1, 2, Qmake (3) 8); (2, 3, Qmake (1) 8)]]]))
    (Qmake (1000) 1) 1.

Definition vector_holds_paper_alibi_ring_6_tau1_2_T4_3_0 : certificate :=
  Certificate
    (Protocol 6 (nseq 4 (Network [:: (0, 1); (0, 5); (1, 2); (2, 3); (3, 4); (4, 5)] Metropolis)) 4 [::] (nseq 6 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] false false) [:: 3]
    true (Qmake (104) 729)
    (Alibis [:: ([:: [::]], None)]).

Definition vector_holds_sum_absorption_ring_6_tau1_2_T4_3_0 : certificate :=
  Certificate
    (Protocol 6 (nseq 4 (Network [:: (0, 1); (0, 5); (1, 2); (2, 3); (3, 4); (4, 5)] Metropolis)) 4 [::] (nseq 6 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true true) [:: 3]
    true (Qmake (1141289449) 8000000000)
    (Absorption (nseq 6 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (0, 5, Qmake (1) 1); (1, 1, Qmake (1) 1); (1, 5, Qmake (1) 1); (2, 1, Qmake (1) 1); (2, 5, Qmake (1) 1); (3, 1, Qmake (1) 1); (3, 5, Qmake (1) 1)]]).

Definition vector_holds_sum_attack_path_4_T3_2_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 3 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true true) [:: 2]
    false (Qmake (1) 1)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 0, Qmake (-3) 1); (1, 0, Qmake (9) 1)] [:: (0, 0, Qmake (-1) 1)]).

Definition vector_holds_system_group_least : linear.claim_of_system :=
  linear.ClaimOfSystem
    (linear.System [:: [:: Qmake (1) 1; Qmake (0) 1]; [:: Qmake (1) 1; Qmake (1) 1]] [:: [:: Qmake (1) 1; Qmake (0) 1]; [:: Qmake (0) 1; Qmake (1) 1]] [:: Qmake (1) 1; Qmake (1) 2] [::])
    [:: 0; 1] false (Qmake (17) 1)
    [:: [:: Qmake (1) 1; Qmake (-1) 1]; [:: Qmake (9) 1; Qmake (-8) 1]].

Definition vector_holds_system_group_most : linear.claim_of_system :=
  linear.ClaimOfSystem
    (linear.System [:: [:: Qmake (1) 1; Qmake (0) 1]; [:: Qmake (1) 1; Qmake (1) 1]] [:: [:: Qmake (1) 1; Qmake (0) 1]; [:: Qmake (0) 1; Qmake (1) 1]] [:: Qmake (1) 1; Qmake (1) 2] [::])
    [:: 0; 1] true (Qmake (17) 1)
    [:: [:: Qmake (1) 1; Qmake (-1) 1]; [:: Qmake (0) 1; Qmake (1) 1]].

Definition vector_holds_system_known_least : linear.claim_of_system :=
  linear.ClaimOfSystem
    (linear.System [:: [:: Qmake (1) 2; Qmake (1) 1]] [:: [:: Qmake (1) 2]] [:: Qmake (2) 1; Qmake (1) 1] [:: 1])
    [:: 0] false (Qmake (1) 4)
    [:: [:: Qmake (1) 1]; [:: Qmake (1) 1]].

Definition vector_holds_system_known_most : linear.claim_of_system :=
  linear.ClaimOfSystem
    (linear.System [:: [:: Qmake (1) 2; Qmake (1) 1]] [:: [:: Qmake (1) 2]] [:: Qmake (2) 1; Qmake (1) 1] [:: 1])
    [:: 0] true (Qmake (1) 4)
    [:: [:: Qmake (1) 1; Qmake (0) 1]].

Definition vector_holds_system_shared_least : linear.claim_of_system :=
  linear.ClaimOfSystem
    (linear.System [:: [:: Qmake (1) 1; Qmake (0) 1; Qmake (1) 1]; [:: Qmake (0) 1; Qmake (1) 1; Qmake (-1) 1]] [:: [:: Qmake (1) 1]; [:: Qmake (1) 1]] [:: Qmake (1) 1; Qmake (1) 1; Qmake (3) 1] [::])
    [:: 0] false (Qmake (2) 1)
    [:: [:: Qmake (1) 1]; [:: Qmake (1) 1; Qmake (1) 1]].

Definition vector_holds_system_shared_most : linear.claim_of_system :=
  linear.ClaimOfSystem
    (linear.System [:: [:: Qmake (1) 1; Qmake (0) 1; Qmake (1) 1]; [:: Qmake (0) 1; Qmake (1) 1; Qmake (-1) 1]] [:: [:: Qmake (1) 1]; [:: Qmake (1) 1]] [:: Qmake (1) 1; Qmake (1) 1; Qmake (3) 1] [::])
    [:: 0] true (Qmake (2) 1)
    [:: [:: Qmake (1) 1; Qmake (1) 1; Qmake (0) 1]].

Definition vector_refused_absorption_edge_outside : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 9); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (111111112223) 1000000000000)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1)]]).

Definition vector_refused_absorption_fraction_above_1 : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (111111112223) 1000000000000)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (3) 2); (1, 1, Qmake (1) 1)]]).

Definition vector_refused_absorption_fraction_negative : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (111111112223) 1000000000000)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (-1) 2); (1, 1, Qmake (1) 1)]]).

Definition vector_refused_absorption_more_rounds : certificate :=
  Certificate
    (Protocol 3 (nseq 3 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (111111112223) 1000000000000)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1)]]).

Definition vector_refused_absorption_more_sources : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 1; 2]
    true (Qmake (111111112223) 1000000000000)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1)]]).

Definition vector_refused_absorption_no_source : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [::]
    true (Qmake (111111112223) 1000000000000)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1)]]).

Definition vector_refused_absorption_no_such_node : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (111111112223) 1000000000000)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [:: (0, 7, Qmake (1) 1); (1, 1, Qmake (1) 1)]]).

Definition vector_refused_absorption_nothing_absorbed : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (111111112223) 1000000000000)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [::]]).

Definition vector_refused_absorption_source_observes : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 0]
    true (Qmake (111111112223) 1000000000000)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1)]]).

Definition vector_refused_absorption_source_twice : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2; 2]
    true (Qmake (111111112223) 1000000000000)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1)]]).

Definition vector_refused_absorption_too_large_a_constant : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (111111112223) 1000000000000)
    (Absorption (nseq 3 (Qmake (2) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1)]]).

Definition vector_refused_alibi_input_missing : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] (nseq 3 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (4) 9)
    (Alibis [:: ([::], None)]).

Definition vector_refused_alibi_known_draw : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] (nseq 3 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (4) 9)
    (Alibis [:: ([:: [:: (0, 0, Qmake (1) 2)]], None)]).

Definition vector_refused_alibi_less_noise : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] (nseq 3 (squared (Qmake (1) 3))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (4) 9)
    (Alibis [:: ([:: [::]], None)]).

Definition vector_refused_alibi_no_fresh_noise : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (4) 9)
    (Alibis [:: ([:: [::]], None)]).

Definition vector_refused_attack_after_the_end : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (1) 1)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (2, 1, Qmake (-1) 1); (1, 1, Qmake (3) 1)] [:: (0, 0, Qmake (-1) 1)]).

Definition vector_refused_attack_change_above_1 : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (1) 1)
    (Attack [:: (0, 2, Qmake (2) 1)] [:: (0, 1, Qmake (-1) 1); (1, 1, Qmake (3) 1)] [:: (0, 0, Qmake (-1) 1)]).

Definition vector_refused_attack_message_not_heard : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (1) 1)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 2, Qmake (-1) 1); (1, 1, Qmake (3) 1)] [:: (0, 0, Qmake (-1) 1)]).

Definition vector_refused_dual_diagonal_only : certificate :=
  Certificate
    (Protocol 6 (nseq 4 (Network [:: (0, 1); (0, 5); (1, 2); (2, 3); (3, 4); (4, 5)] Metropolis)) 4 [::] (nseq 6 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2; 3]
    true (Qmake (604) 729)
    (Alibis [:: ([:: [::]; [::]], Some [:: Qmake (1) 1000; Qmake (164) 729])]).

Definition vector_refused_dual_entry_missing : certificate :=
  Certificate
    (Protocol 6 (nseq 4 (Network [:: (0, 1); (0, 5); (1, 2); (2, 3); (3, 4); (4, 5)] Metropolis)) 4 [::] (nseq 6 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2; 3]
    true (Qmake (604) 729)
    (Alibis [:: ([:: [::]; [::]], Some [:: Qmake (1) 1])]).

Definition vector_refused_flow_along_no_edge : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (0, 3); (1, 2); (2, 3)] Metropolis)) 3 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 3); (1, 2); (2, 3)] (nseq 4 (squared (Qmake (1) 1))) [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (5) 8)
    (Flows [:: [:: [:: (1, 3, Qmake (1) 4)]]]).

Definition vector_refused_flow_known_mask : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (0, 3); (1, 2); (2, 3)] Metropolis)) 3 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 3); (1, 2); (2, 3)] (nseq 4 (squared (Qmake (1) 1))) [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (5) 8)
    (Flows [:: [:: [:: (1, 0, Qmake (1) 2)]]]).

Definition vector_refused_flow_without_masks : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (0, 3); (1, 2); (2, 3)] Metropolis)) 3 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (5) 8)
    (Flows [:: [:: [:: (1, 2, Qmake (3) 8); (2, 3, Qmake (1) 8)]]]).

Definition vector_refused_grid_as_real_numbers : rounding.claim_on_grid :=
  rounding.ClaimOnGrid
  (  Certificate
    (Protocol 4 (nseq 4 (Network [:: (0, 1); (0, 3); (1, 2); (2, 3)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 3); (1, 2); (2, 3)] (nseq 4 (squared (Qmake (1) 1))) [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (5) 4)
    (Flows [:: [:: [:: (1, 2, Qmake (3) 8); (2, 3, Qmake (1) 8)]]]))
    (Qmake (1000) 1) 1.

Definition vector_refused_grid_coarser : rounding.claim_on_grid :=
  rounding.ClaimOnGrid
  (  Certificate
    (Protocol 4 (nseq 4 (Network [:: (0, 1); (0, 3); (1, 2); (2, 3)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 3); (1, 2); (2, 3)] (nseq 4 (squared (Qmake (1) 1))) [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (312501) 250000)
    (Flows [:: [:: [:: (1, 2, Qmake (3) 8); (2, 3, Qmake (1) 8)]]]))
    (Qmake (10) 1) 1.

Definition vector_refused_grid_no_steps : rounding.claim_on_grid :=
  rounding.ClaimOnGrid
  (  Certificate
    (Protocol 4 (nseq 4 (Network [:: (0, 1); (0, 3); (1, 2); (2, 3)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 3); (1, 2); (2, 3)] (nseq 4 (squared (Qmake (1) 1))) [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (312501) 250000)
    (Flows [:: [:: [:: (1, 2, Qmake (3) 8); (2, 3, Qmake (1) 8)]]]))
    (Qmake (0) 1) 1.

Definition vector_refused_overstated_absorption_hypercube_3_gd2x1_2_0 : certificate :=
  Certificate
    (Protocol 8 (nseq 2 (Network [:: (0, 1); (0, 2); (0, 4); (1, 3); (1, 5); (2, 3); (2, 6); (3, 7); (4, 5); (4, 6); (5, 7); (6, 7)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (9900000099) 5000000000)
    (Absorption (nseq 8 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (0, 2, Qmake (1) 1); (0, 4, Qmake (1) 1); (1, 1, Qmake (1) 1); (1, 2, Qmake (1) 1); (1, 4, Qmake (1) 1)]]).

Definition vector_refused_overstated_absorption_path_3_gd2x1_2_0 : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (11000000110077) 100000000000000)
    (Absorption (nseq 3 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1)]]).

Definition vector_refused_overstated_absorption_path_4_custom_gd3x1_2_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] (Custom [:: (0, 0, Qmake (7) 10); (0, 1, Qmake (3) 10); (1, 0, Qmake (3) 10); (1, 1, Qmake (1) 5); (1, 2, Qmake (1) 2); (2, 1, Qmake (1) 2); (2, 2, Qmake (2) 5); (2, 3, Qmake (1) 10); (3, 2, Qmake (1) 10); (3, 3, Qmake (9) 10)]))) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (366300003663) 500000000000)
    (Absorption (nseq 4 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1); (2, 1, Qmake (1) 1)]]).

Definition vector_refused_overstated_absorption_path_4_gd3x1_2_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (7638888965301) 25000000000000)
    (Absorption (nseq 4 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1); (2, 1, Qmake (1) 1)]]).

Definition vector_refused_overstated_absorption_path_4_plan_gd3x1_2_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 1 [:: Qmake (1) 4; Qmake (2) 1; Qmake (1) 9; Qmake (1) 1] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (7638888965301) 50000000000000)
    (Absorption (nseq 4 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1); (2, 1, Qmake (1) 1)]]).

Definition vector_refused_overstated_absorption_ring_5_gd3x1_2_0 : certificate :=
  Certificate
    (Protocol 5 (nseq 3 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (31777778095569) 100000000000000)
    (Absorption (nseq 5 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (0, 4, Qmake (1) 1); (1, 1, Qmake (1) 1); (1, 4, Qmake (1) 1); (2, 1, Qmake (1) 1); (2, 4, Qmake (1) 1)]]).

Definition vector_refused_overstated_absorption_star_5_gd2x2_tau1_2_2_1 : certificate :=
  Certificate
    (Protocol 5 (nseq 4 (Network [:: (0, 1); (0, 2); (0, 3); (0, 4)] Metropolis)) 2 [::] (nseq 5 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 1] true false) [:: 2]
    true (Qmake (762220807623) 1250000000000)
    (Absorption (nseq 5 (Qmake (1) 1)) [:: [:: (0, 0, Qmake (1) 1); (1, 0, Qmake (1) 1); (2, 0, Qmake (1) 1); (3, 0, Qmake (1) 1)]]).

Definition vector_refused_overstated_alibi_path_3_tau1_2_T2_2_0 : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] (nseq 3 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (11) 25)
    (Alibis [:: ([:: [::]], None)]).

Definition vector_refused_overstated_alibi_path_5_tau1_3_T4_2_0 : certificate :=
  Certificate
    (Protocol 5 (nseq 4 (Network [:: (0, 1); (1, 2); (2, 3); (3, 4)] Metropolis)) 4 [::] (nseq 5 (squared (Qmake (1) 3))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (517) 450)
    (Alibis [:: ([:: [::]], None)]).

Definition vector_refused_overstated_alibi_ring_5_tau2_T3_2_0 : certificate :=
  Certificate
    (Protocol 5 (nseq 3 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 3 [::] (nseq 5 (squared (Qmake (2) 1))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    true (Qmake (121) 3600)
    (Alibis [:: ([:: [::]], None)]).

Definition vector_refused_overstated_attack_karate_T2_2_0 : certificate :=
  Certificate
    (Protocol 34 (nseq 2 (Network [:: (0, 1); (0, 2); (0, 3); (0, 4); (0, 5); (0, 6); (0, 7); (0, 8); (0, 10); (0, 11); (0, 12); (0, 13); (0, 17); (0, 19); (0, 21); (0, 31); (1, 2); (1, 3); (1, 7); (1, 13); (1, 17); (1, 19); (1, 21); (1, 30); (2, 3); (2, 7); (2, 8); (2, 9); (2, 13); (2, 27); (2, 28); (2, 32); (3, 7); (3, 12); (3, 13); (4, 6); (4, 10); (5, 6); (5, 10); (5, 16); (6, 16); (8, 30); (8, 32); (8, 33); (9, 33); (13, 33); (14, 32); (14, 33); (15, 32); (15, 33); (18, 32); (18, 33); (19, 33); (20, 32); (20, 33); (22, 32); (22, 33); (23, 25); (23, 27); (23, 29); (23, 32); (23, 33); (24, 25); (24, 27); (24, 31); (25, 31); (26, 29); (26, 33); (27, 33); (28, 31); (28, 33); (29, 32); (29, 33); (30, 32); (30, 33); (31, 32); (31, 33); (32, 33)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (101) 100)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 2, Qmake (1) 1)] [::]).

Definition vector_refused_overstated_attack_path_3_T2_2_0 : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (101) 100)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-1) 1); (1, 1, Qmake (3) 1)] [:: (0, 0, Qmake (-1) 1)]).

Definition vector_refused_overstated_attack_path_4_custom_gd3x1_2_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] (Custom [:: (0, 0, Qmake (7) 10); (0, 1, Qmake (3) 10); (1, 0, Qmake (3) 10); (1, 1, Qmake (1) 5); (1, 2, Qmake (1) 2); (2, 1, Qmake (1) 2); (2, 2, Qmake (2) 5); (2, 3, Qmake (1) 10); (3, 2, Qmake (1) 10); (3, 3, Qmake (9) 10)]))) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (11413) 51380)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-1546) 12845); (1, 1, Qmake (134) 367); (2, 1, Qmake (320) 2569)] [:: (0, 0, Qmake (-1839) 12845); (1, 0, Qmake (-96) 2569)]).

Definition vector_refused_overstated_attack_path_4_gd3x1_2_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (101) 919)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-109) 919); (1, 1, Qmake (246) 919); (2, 1, Qmake (81) 919)] [:: (0, 0, Qmake (-109) 919); (1, 0, Qmake (-27) 919)]).

Definition vector_refused_overstated_attack_path_4_plan_gd3x1_2_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 1 [:: Qmake (1) 4; Qmake (2) 1; Qmake (1) 9; Qmake (1) 1] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (82719) 1337500)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-36) 535); (1, 1, Qmake (1971) 13375); (2, 1, Qmake (729) 13375)] [:: (0, 0, Qmake (-36) 535); (1, 0, Qmake (-243) 13375)]).

Definition vector_refused_overstated_attack_path_4_tau1_2_T3_2_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 3 [::] (nseq 4 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (10403) 31450)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-224) 629); (1, 1, Qmake (30) 37); (2, 1, Qmake (162) 629)] [:: (0, 0, Qmake (-224) 629); (1, 0, Qmake (-54) 629)]).

Definition vector_refused_overstated_attack_path_5_T4_2_0 : certificate :=
  Certificate
    (Protocol 5 (nseq 4 (Network [:: (0, 1); (1, 2); (2, 3); (3, 4)] Metropolis)) 4 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (101) 100)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-1) 1); (1, 1, Qmake (3) 1)] [:: (0, 0, Qmake (-1) 1)]).

Definition vector_refused_overstated_attack_ring_5_kappa2_T3_2_0 : certificate :=
  Certificate
    (Protocol 5 (nseq 3 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 3 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] (nseq 5 (squared (Qmake (2) 1))) [::])
    (ViewOf [:: 0] true false) [:: 2]
    false (Qmake (2929) 8820)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-29) 441); (0, 4, Qmake (-20) 441); (1, 1, Qmake (145) 147); (1, 4, Qmake (100) 147)] [:: (0, 0, Qmake (-5) 9); (0, 5, Qmake (-43) 147); (0, 6, Qmake (-55) 147)]).

Definition vector_refused_overstated_dual_ring_6_tau1_2_T4_2_3_0 : certificate :=
  Certificate
    (Protocol 6 (nseq 4 (Network [:: (0, 1); (0, 5); (1, 2); (2, 3); (3, 4); (4, 5)] Metropolis)) 4 [::] (nseq 6 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true false) [:: 2; 3]
    true (Qmake (1661) 2025)
    (Alibis [:: ([:: [::]; [::]], Some [:: Qmake (440) 729; Qmake (164) 729])]).

Definition vector_refused_overstated_flow_complete_4_kappa1_2_1x1_1_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 1 (Network [:: (0, 1); (0, 2); (0, 3); (1, 2); (1, 3); (2, 3)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 2); (0, 3); (1, 2); (1, 3); (2, 3)] (nseq 6 (squared (Qmake (1) 2))) [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (99) 140)
    (Flows [:: [:: [:: (1, 2, Qmake (1) 7); (1, 3, Qmake (1) 7)]]]).

Definition vector_refused_overstated_flow_hypercube_3_kappa2_2x2_1_0 : certificate :=
  Certificate
    (Protocol 8 (nseq 4 (Network [:: (0, 1); (0, 2); (0, 4); (1, 3); (1, 5); (2, 3); (2, 6); (3, 7); (4, 5); (4, 6); (5, 7); (6, 7)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 2); (0, 4); (1, 3); (1, 5); (2, 3); (2, 6); (3, 7); (4, 5); (4, 6); (5, 7); (6, 7)] (nseq 12 (squared (Qmake (2) 1))) [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (623799) 1297850)
    (Flows [:: [:: [:: (1, 3, Qmake (9828) 25957); (1, 5, Qmake (9828) 25957); (3, 2, Qmake (3536) 25957); (2, 6, Qmake (576) 25957); (3, 7, Qmake (2448) 25957); (5, 4, Qmake (3536) 25957); (4, 6, Qmake (576) 25957); (5, 7, Qmake (2448) 25957); (7, 6, Qmake (1664) 25957)]]]).

Definition vector_refused_overstated_flow_ring_4_kappa1_1x3_1_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (0, 3); (1, 2); (2, 3)] Metropolis)) 3 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 3); (1, 2); (2, 3)] (nseq 4 (squared (Qmake (1) 1))) [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (99) 160)
    (Flows [:: [:: [:: (1, 2, Qmake (3) 8); (2, 3, Qmake (1) 8)]]]).

Definition vector_refused_overstated_flow_ring_5_kappa2_3x1_every2_1_0 : certificate :=
  Certificate
    (Protocol 5 (nseq 3 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 1 [::] [::] (Qmake (1) 1) 2 [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] (nseq 5 (squared (Qmake (2) 1))) [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (1991) 2450)
    (Flows [:: [:: [:: (1, 2, Qmake (260) 441); (2, 3, Qmake (16) 49); (3, 4, Qmake (64) 441)]]]).

Definition vector_refused_overstated_flow_ring_5_kappa3_1x2_1_0 : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] (nseq 5 (squared (Qmake (3) 1))) [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (124839) 378100)
    (Flows [:: [:: [:: (1, 2, Qmake (2520) 3781); (2, 3, Qmake (81) 199); (3, 4, Qmake (729) 3781)]]]).

Definition vector_refused_overstated_grid_ring_4_kappa1_2x2_k1000_1_0 : rounding.claim_on_grid :=
  rounding.ClaimOnGrid
  (  Certificate
    (Protocol 4 (nseq 4 (Network [:: (0, 1); (0, 3); (1, 2); (2, 3)] Metropolis)) 2 [::] [::] (Qmake (1) 1) 1 [:: (0, 1); (0, 3); (1, 2); (2, 3)] (nseq 4 (squared (Qmake (1) 1))) [::])
    (ViewOf [:: 0] true false) [:: 1]
    true (Qmake (30937599) 25000000)
    (Flows [:: [:: [:: (1, 2, Qmake (3) 8); (2, 3, Qmake (1) 8)]]]))
    (Qmake (1000) 1) 1.

Definition vector_refused_overstated_paper_alibi_ring_6_tau1_2_T4_3_0 : certificate :=
  Certificate
    (Protocol 6 (nseq 4 (Network [:: (0, 1); (0, 5); (1, 2); (2, 3); (3, 4); (4, 5)] Metropolis)) 4 [::] (nseq 6 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] false false) [:: 3]
    true (Qmake (286) 2025)
    (Alibis [:: ([:: [::]], None)]).

Definition vector_refused_overstated_sum_absorption_ring_6_tau1_2_T4_3_0 : certificate :=
  Certificate
    (Protocol 6 (nseq 4 (Network [:: (0, 1); (0, 5); (1, 2); (2, 3); (3, 4); (4, 5)] Metropolis)) 4 [::] (nseq 6 (squared (Qmake (1) 2))) (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true true) [:: 3]
    true (Qmake (112987655451) 800000000000)
    (Absorption (nseq 6 (Qmake (1) 1)) [:: [:: (0, 1, Qmake (1) 1); (0, 5, Qmake (1) 1); (1, 1, Qmake (1) 1); (1, 5, Qmake (1) 1); (2, 1, Qmake (1) 1); (2, 5, Qmake (1) 1); (3, 1, Qmake (1) 1); (3, 5, Qmake (1) 1)]]).

Definition vector_refused_overstated_sum_attack_path_4_T3_2_0 : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 3 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true true) [:: 2]
    false (Qmake (101) 100)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 0, Qmake (-3) 1); (1, 0, Qmake (9) 1)] [:: (0, 0, Qmake (-1) 1)]).

Definition vector_refused_overstated_system_group_least : linear.claim_of_system :=
  linear.ClaimOfSystem
    (linear.System [:: [:: Qmake (1) 1; Qmake (0) 1]; [:: Qmake (1) 1; Qmake (1) 1]] [:: [:: Qmake (1) 1; Qmake (0) 1]; [:: Qmake (0) 1; Qmake (1) 1]] [:: Qmake (1) 1; Qmake (1) 2] [::])
    [:: 0; 1] false (Qmake (1717) 100)
    [:: [:: Qmake (1) 1; Qmake (-1) 1]; [:: Qmake (9) 1; Qmake (-8) 1]].

Definition vector_refused_overstated_system_group_most : linear.claim_of_system :=
  linear.ClaimOfSystem
    (linear.System [:: [:: Qmake (1) 1; Qmake (0) 1]; [:: Qmake (1) 1; Qmake (1) 1]] [:: [:: Qmake (1) 1; Qmake (0) 1]; [:: Qmake (0) 1; Qmake (1) 1]] [:: Qmake (1) 1; Qmake (1) 2] [::])
    [:: 0; 1] true (Qmake (1683) 100)
    [:: [:: Qmake (1) 1; Qmake (-1) 1]; [:: Qmake (0) 1; Qmake (1) 1]].

Definition vector_refused_overstated_system_known_least : linear.claim_of_system :=
  linear.ClaimOfSystem
    (linear.System [:: [:: Qmake (1) 2; Qmake (1) 1]] [:: [:: Qmake (1) 2]] [:: Qmake (2) 1; Qmake (1) 1] [:: 1])
    [:: 0] false (Qmake (101) 400)
    [:: [:: Qmake (1) 1]; [:: Qmake (1) 1]].

Definition vector_refused_overstated_system_known_most : linear.claim_of_system :=
  linear.ClaimOfSystem
    (linear.System [:: [:: Qmake (1) 2; Qmake (1) 1]] [:: [:: Qmake (1) 2]] [:: Qmake (2) 1; Qmake (1) 1] [:: 1])
    [:: 0] true (Qmake (99) 400)
    [:: [:: Qmake (1) 1; Qmake (0) 1]].

Definition vector_refused_overstated_system_shared_least : linear.claim_of_system :=
  linear.ClaimOfSystem
    (linear.System [:: [:: Qmake (1) 1; Qmake (0) 1; Qmake (1) 1]; [:: Qmake (0) 1; Qmake (1) 1; Qmake (-1) 1]] [:: [:: Qmake (1) 1]; [:: Qmake (1) 1]] [:: Qmake (1) 1; Qmake (1) 1; Qmake (3) 1] [::])
    [:: 0] false (Qmake (101) 50)
    [:: [:: Qmake (1) 1]; [:: Qmake (1) 1; Qmake (1) 1]].

Definition vector_refused_overstated_system_shared_most : linear.claim_of_system :=
  linear.ClaimOfSystem
    (linear.System [:: [:: Qmake (1) 1; Qmake (0) 1; Qmake (1) 1]; [:: Qmake (0) 1; Qmake (1) 1; Qmake (-1) 1]] [:: [:: Qmake (1) 1]; [:: Qmake (1) 1]] [:: Qmake (1) 1; Qmake (1) 1; Qmake (3) 1] [::])
    [:: 0] true (Qmake (99) 50)
    [:: [:: Qmake (1) 1; Qmake (1) 1; Qmake (0) 1]].

Definition vector_refused_sum_attack_message_of_another : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 3 [::] [::] (Qmake (1) 1) 1 [::] [::] [::])
    (ViewOf [:: 0] true true) [:: 2]
    false (Qmake (1) 1)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-3) 1); (1, 0, Qmake (9) 1)] [:: (0, 0, Qmake (-1) 1)]).

Definition vector_refused_system_group_least_change_above_1 : linear.claim_of_system :=
  linear.ClaimOfSystem
    (linear.System [:: [:: Qmake (1) 1; Qmake (0) 1]; [:: Qmake (1) 1; Qmake (1) 1]] [:: [:: Qmake (1) 1; Qmake (0) 1]; [:: Qmake (0) 1; Qmake (1) 1]] [:: Qmake (1) 1; Qmake (1) 2] [::])
    [:: 0; 1] false (Qmake (17) 1)
    [:: [:: Qmake (2) 1; Qmake (-1) 1]; [:: Qmake (9) 1; Qmake (-8) 1]].

Definition vector_refused_system_known_most_known_draw : linear.claim_of_system :=
  linear.ClaimOfSystem
    (linear.System [:: [:: Qmake (1) 2; Qmake (1) 1]] [:: [:: Qmake (1) 2]] [:: Qmake (2) 1; Qmake (1) 1] [:: 1])
    [:: 0] true (Qmake (1) 4)
    [:: [:: Qmake (0) 1; Qmake (1) 2]].

Definition vector_refused_system_known_most_no_such_draw : linear.claim_of_system :=
  linear.ClaimOfSystem
    (linear.System [:: [:: Qmake (1) 2; Qmake (1) 1]] [:: [:: Qmake (1) 2]] [:: Qmake (2) 1; Qmake (1) 1] [:: 2])
    [:: 0] true (Qmake (1) 4)
    [:: [:: Qmake (1) 1; Qmake (0) 1]].

Definition vector_refused_system_shared_most_seen : linear.claim_of_system :=
  linear.ClaimOfSystem
    (linear.System [:: [:: Qmake (1) 1; Qmake (0) 1; Qmake (1) 1]; [:: Qmake (0) 1; Qmake (1) 1; Qmake (-1) 1]] [:: [:: Qmake (1) 1]; [:: Qmake (1) 1]] [:: Qmake (1) 1; Qmake (1) 1; Qmake (3) 1] [::])
    [:: 0] true (Qmake (2) 1)
    [:: [:: Qmake (1) 2; Qmake (1) 1; Qmake (0) 1]].

(* 66 files that prove what they claim are accepted. *)
Theorem proofs_on_file_are_accepted : all check
  [:: holds_absorption_on_a_path;
      holds_absorption_with_fresh_noise;
      holds_alibi_in_the_paper_s_view;
      holds_alibi_of_the_nearer;
      holds_alibi_with_fresh_noise;
      holds_alibi_with_reactions;
      holds_alibis_in_two_phases;
      holds_alibis_of_a_group;
      holds_alibis_of_a_group_in_two_phases;
      holds_alibis_with_a_dual_vector;
      holds_attack_in_the_paper_s_view;
      holds_attack_on_a_group;
      holds_attack_on_a_path;
      holds_attack_on_the_farther;
      holds_command_accelerated_absorption;
      holds_command_accelerated_attack;
      holds_command_accelerated_descent;
      holds_command_accelerated_one_shot;
      holds_command_cube;
      holds_command_custom_weights;
      holds_command_dropout;
      holds_command_flow;
      holds_command_flows_of_a_group;
      holds_command_group_attack;
      holds_command_masked_attack;
      holds_command_path_coalition;
      holds_command_path_descent;
      holds_command_path_descent_fresh;
      holds_command_path_one_shot;
      holds_command_path_paper;
      holds_command_path_refreshed;
      holds_command_phases;
      holds_command_phases_attack;
      holds_command_phases_of_a_group;
      holds_command_ring_lazy;
      holds_command_ring_one_shot;
      holds_command_ring_refreshed;
      holds_command_star_group;
      holds_command_star_one_shot;
      vector_holds_absorption_hypercube_3_gd2x1_2_0;
      vector_holds_absorption_path_3_gd2x1_2_0;
      vector_holds_absorption_path_4_custom_gd3x1_2_0;
      vector_holds_absorption_path_4_gd3x1_2_0;
      vector_holds_absorption_path_4_plan_gd3x1_2_0;
      vector_holds_absorption_ring_5_gd3x1_2_0;
      vector_holds_absorption_star_5_gd2x2_tau1_2_2_1;
      vector_holds_alibi_path_3_tau1_2_T2_2_0;
      vector_holds_alibi_path_5_tau1_3_T4_2_0;
      vector_holds_alibi_ring_5_tau2_T3_2_0;
      vector_holds_attack_karate_T2_2_0;
      vector_holds_attack_path_3_T2_2_0;
      vector_holds_attack_path_4_custom_gd3x1_2_0;
      vector_holds_attack_path_4_gd3x1_2_0;
      vector_holds_attack_path_4_plan_gd3x1_2_0;
      vector_holds_attack_path_4_tau1_2_T3_2_0;
      vector_holds_attack_path_5_T4_2_0;
      vector_holds_attack_ring_5_kappa2_T3_2_0;
      vector_holds_dual_ring_6_tau1_2_T4_2_3_0;
      vector_holds_flow_complete_4_kappa1_2_1x1_1_0;
      vector_holds_flow_hypercube_3_kappa2_2x2_1_0;
      vector_holds_flow_ring_4_kappa1_1x3_1_0;
      vector_holds_flow_ring_5_kappa2_3x1_every2_1_0;
      vector_holds_flow_ring_5_kappa3_1x2_1_0;
      vector_holds_paper_alibi_ring_6_tau1_2_T4_3_0;
      vector_holds_sum_absorption_ring_6_tau1_2_T4_3_0;
      vector_holds_sum_attack_path_4_T3_2_0].
Proof. by vm_compute. Qed.

(* 82 files that do not are refused. *)
Theorem other_files_are_refused : ~~ has check
  [:: refused_absorption_claims_less;
      refused_absorption_is_heard;
      refused_absorption_of_too_much;
      refused_absorption_where_nodes_react;
      refused_absorption_where_steps_stretch;
      refused_accelerated_absorption;
      refused_accelerated_attack;
      refused_acceleration_above_two;
      refused_alibi_claims_less;
      refused_alibi_of_a_known_draw;
      refused_alibi_of_the_farther;
      refused_alibi_with_reactions;
      refused_alibi_without_noise;
      refused_alibis_of_a_group_in_one_phase;
      refused_alibis_without_a_phase;
      refused_attack_as_an_upper_bound;
      refused_attack_claims_more;
      refused_attack_in_two_phases;
      refused_attack_on_a_message_to_another;
      refused_attack_with_an_unknown_mask;
      refused_attack_with_unknown_noise;
      refused_custom_weights_not_symmetric;
      refused_custom_weights_that_lose;
      refused_dual_vector_claims_less;
      refused_dual_vector_that_is_none;
      refused_dual_vector_too_short;
      refused_flow_along_a_known_mask;
      refused_flow_claims_less;
      refused_flow_twice_along_a_mask;
      refused_masked_attack;
      refused_source_that_observes;
      vector_refused_absorption_edge_outside;
      vector_refused_absorption_fraction_above_1;
      vector_refused_absorption_fraction_negative;
      vector_refused_absorption_more_rounds;
      vector_refused_absorption_more_sources;
      vector_refused_absorption_no_source;
      vector_refused_absorption_no_such_node;
      vector_refused_absorption_nothing_absorbed;
      vector_refused_absorption_source_observes;
      vector_refused_absorption_source_twice;
      vector_refused_absorption_too_large_a_constant;
      vector_refused_alibi_input_missing;
      vector_refused_alibi_known_draw;
      vector_refused_alibi_less_noise;
      vector_refused_alibi_no_fresh_noise;
      vector_refused_attack_after_the_end;
      vector_refused_attack_change_above_1;
      vector_refused_attack_message_not_heard;
      vector_refused_dual_diagonal_only;
      vector_refused_dual_entry_missing;
      vector_refused_flow_along_no_edge;
      vector_refused_flow_known_mask;
      vector_refused_flow_without_masks;
      vector_refused_overstated_absorption_hypercube_3_gd2x1_2_0;
      vector_refused_overstated_absorption_path_3_gd2x1_2_0;
      vector_refused_overstated_absorption_path_4_custom_gd3x1_2_0;
      vector_refused_overstated_absorption_path_4_gd3x1_2_0;
      vector_refused_overstated_absorption_path_4_plan_gd3x1_2_0;
      vector_refused_overstated_absorption_ring_5_gd3x1_2_0;
      vector_refused_overstated_absorption_star_5_gd2x2_tau1_2_2_1;
      vector_refused_overstated_alibi_path_3_tau1_2_T2_2_0;
      vector_refused_overstated_alibi_path_5_tau1_3_T4_2_0;
      vector_refused_overstated_alibi_ring_5_tau2_T3_2_0;
      vector_refused_overstated_attack_karate_T2_2_0;
      vector_refused_overstated_attack_path_3_T2_2_0;
      vector_refused_overstated_attack_path_4_custom_gd3x1_2_0;
      vector_refused_overstated_attack_path_4_gd3x1_2_0;
      vector_refused_overstated_attack_path_4_plan_gd3x1_2_0;
      vector_refused_overstated_attack_path_4_tau1_2_T3_2_0;
      vector_refused_overstated_attack_path_5_T4_2_0;
      vector_refused_overstated_attack_ring_5_kappa2_T3_2_0;
      vector_refused_overstated_dual_ring_6_tau1_2_T4_2_3_0;
      vector_refused_overstated_flow_complete_4_kappa1_2_1x1_1_0;
      vector_refused_overstated_flow_hypercube_3_kappa2_2x2_1_0;
      vector_refused_overstated_flow_ring_4_kappa1_1x3_1_0;
      vector_refused_overstated_flow_ring_5_kappa2_3x1_every2_1_0;
      vector_refused_overstated_flow_ring_5_kappa3_1x2_1_0;
      vector_refused_overstated_paper_alibi_ring_6_tau1_2_T4_3_0;
      vector_refused_overstated_sum_absorption_ring_6_tau1_2_T4_3_0;
      vector_refused_overstated_sum_attack_path_4_T3_2_0;
      vector_refused_sum_attack_message_of_another].
Proof. by vm_compute. Qed.

(* 6 files of systems that prove what they claim are accepted. *)
Theorem proofs_of_systems_on_file_are_accepted : all linear.check_system
  [:: vector_holds_system_group_least;
      vector_holds_system_group_most;
      vector_holds_system_known_least;
      vector_holds_system_known_most;
      vector_holds_system_shared_least;
      vector_holds_system_shared_most].
Proof. by vm_compute. Qed.

(* 10 files of systems that do not are refused. *)
Theorem other_files_of_systems_are_refused : ~~ has linear.check_system
  [:: vector_refused_overstated_system_group_least;
      vector_refused_overstated_system_group_most;
      vector_refused_overstated_system_known_least;
      vector_refused_overstated_system_known_most;
      vector_refused_overstated_system_shared_least;
      vector_refused_overstated_system_shared_most;
      vector_refused_system_group_least_change_above_1;
      vector_refused_system_known_most_known_draw;
      vector_refused_system_known_most_no_such_draw;
      vector_refused_system_shared_most_seen].
Proof. by vm_compute. Qed.

(* 1 files on a grid that prove what they claim are accepted. *)
Theorem proofs_on_a_grid_on_file_are_accepted : all rounding.check_on_grid
  [:: vector_holds_grid_ring_4_kappa1_2x2_k1000_1_0].
Proof. by vm_compute. Qed.

(* 4 files on a grid that do not are refused. *)
Theorem other_files_on_a_grid_are_refused : ~~ has rounding.check_on_grid
  [:: vector_refused_grid_as_real_numbers;
      vector_refused_grid_coarser;
      vector_refused_grid_no_steps;
      vector_refused_overstated_grid_ring_4_kappa1_2x2_k1000_1_0].
Proof. by vm_compute. Qed.

(* Not decided here, because there is no certificate in them: vector-refused-absorption-claim-is-no-number, vector-refused-absorption-unknown-weights, vector-refused-absorption-version-2, vector-refused-file-cut-off, vector-refused-file-empty, vector-refused-file-field-twice, vector-refused-file-no-object, vector-refused-file-system-field-twice, vector-refused-file-two-claims, vector-refused-file-unknown-field, vector-refused-sum-attack-no-such-view. *)
