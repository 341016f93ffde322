(* The certificates of certificates/, as terms: written by `UPDATE=1 cargo test -p muffliato-certificate --test theorems`, which fails
   while this file is out of date and compares the verdicts of the two checkers. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect.
From Muffliato Require Import fractions protocol checker.

Local Open Scope nat_scope.

Definition holds_absorption_on_a_path : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 (Qmake (0) 1))
    (ViewOf [:: 0] true) [:: 2]
    true (Qmake (139) 1250)
    (Absorption [:: Qmake (1) 1; Qmake (1) 1; Qmake (1) 1] [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1)]).

Definition holds_absorption_with_fresh_noise : certificate :=
  Certificate
    (Protocol 4 (nseq 4 (Network [:: (0, 1); (1, 2); (2, 3); (1, 3)] (Lazy MaxDegreeInverse))) 2 (Qmake (1) 2))
    (ViewOf [:: 0] true) [:: 2; 3]
    true (Qmake (16059) 10000)
    (Absorption [:: Qmake (3) 4; Qmake (3) 4; Qmake (3) 4; Qmake (3) 4] [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1); (1, 2, Qmake (1) 3); (2, 1, Qmake (1) 1); (2, 3, Qmake (1) 5); (3, 1, Qmake (1) 1)]).

Definition holds_alibi_in_the_paper_s_view : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 (Qmake (0) 1))
    (ViewOf [:: 2] false) [:: 0]
    true (Qmake (1) 2)
    (Alibis [:: (0, 0, [:: (0, 0, Qmake (1) 2); (0, 2, Qmake (1) 2)])]).

Definition holds_alibi_of_the_nearer : certificate :=
  Certificate
    (Protocol 5 (nseq 3 (Network [:: (0, 1); (1, 3); (1, 4); (2, 3); (2, 4)] Metropolis)) 3 (Qmake (0) 1))
    (ViewOf [:: 0] true) [:: 3]
    true (Qmake (1) 2)
    (Alibis [:: (0, 3, [:: (0, 3, Qmake (1) 2); (0, 4, Qmake (1) 2)])]).

Definition holds_alibi_with_fresh_noise : certificate :=
  Certificate
    (Protocol 3 (nseq 3 (Network [:: (0, 1); (1, 2)] Metropolis)) 3 (Qmake (1) 2))
    (ViewOf [:: 0] true) [:: 2]
    true (Qmake (52) 81)
    (Alibis [:: (0, 2, [::])]).

Definition holds_alibis_of_a_group : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 (Qmake (0) 1))
    (ViewOf [:: 0] true) [:: 1; 2]
    true (Qmake (25) 9)
    (Alibis [:: (0, 1, [::]); (0, 2, [::]); (1, 1, [::]); (1, 2, [::])]).

Definition holds_attack_in_the_paper_s_view : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 (Qmake (0) 1))
    (ViewOf [:: 2] false) [:: 0]
    false (Qmake (1) 2)
    (Attack [:: (0, 0, Qmake (1) 1)] [:: (0, 1, Qmake (-1) 1); (1, 1, Qmake (3) 1)] [::]).

Definition holds_attack_on_a_group : certificate :=
  Certificate
    (Protocol 3 [:: Average 0 1; Average 1 2] 2 (Qmake (0) 1))
    (ViewOf [:: 2] true) [:: 0; 1]
    false (Qmake (2) 1)
    (Attack [:: (0, 0, Qmake (1) 1); (0, 1, Qmake (1) 1)] [:: (1, 1, Qmake (1) 1)] [::]).

Definition holds_attack_on_a_path : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 (Qmake (0) 1))
    (ViewOf [:: 2] true) [:: 0]
    false (Qmake (1) 1)
    (Attack [:: (0, 0, Qmake (1) 1)] [:: (0, 1, Qmake (-1) 1); (1, 1, Qmake (3) 1)] [:: (0, 2, Qmake (-1) 1)]).

Definition holds_attack_on_the_farther : certificate :=
  Certificate
    (Protocol 5 (nseq 3 (Network [:: (0, 1); (1, 3); (1, 4); (2, 3); (2, 4)] Metropolis)) 3 (Qmake (0) 1))
    (ViewOf [:: 0] true) [:: 2]
    false (Qmake (1) 1)
    (Attack [:: (0, 2, Qmake (1) 1)] [:: (0, 1, Qmake (-1) 2); (1, 1, Qmake (-4) 1); (2, 1, Qmake (6) 1)] [:: (0, 0, Qmake (-1) 2)]).

Definition holds_command_cube : certificate :=
  Certificate
    (Protocol 4 (nseq 2 (Network [:: (0, 1); (0, 2); (1, 3); (2, 3)] MaxDegreeInverse)) 2 (Qmake (0) 1))
    (ViewOf [:: 0] true) [:: 3]
    true (Qmake (1) 1)
    (Alibis [:: (0, 3, [:: (0, 3, Qmake (1) 1)])]).

Definition holds_command_path_coalition : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (1, 2); (2, 3); (3, 4)] Metropolis)) 2 (Qmake (0) 1))
    (ViewOf [:: 2; 4] true) [:: 0]
    true (Qmake (1) 1)
    (Alibis [:: (0, 0, [:: (0, 0, Qmake (1) 1)])]).

Definition holds_command_path_descent : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 1 (Qmake (0) 1))
    (ViewOf [:: 0] true) [:: 3]
    true (Qmake (10989010989013) 1000000000000000)
    (Absorption [:: Qmake (1) 1; Qmake (1) 1; Qmake (1) 1; Qmake (1) 1] [:: (0, 1, Qmake (1) 1); (0, 3, Qmake (193320725757) 17592186044416); (1, 1, Qmake (1) 1); (1, 2, Qmake (879609302215) 8796093022208); (2, 1, Qmake (1) 1)]).

Definition holds_command_path_descent_fresh : certificate :=
  Certificate
    (Protocol 4 (nseq 4 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 2 (Qmake (1) 2))
    (ViewOf [:: 0] true) [:: 3]
    true (Qmake (8617941162263) 200000000000000)
    (Absorption [:: Qmake (1) 1; Qmake (1) 1; Qmake (1) 1; Qmake (1) 1] [:: (0, 1, Qmake (1) 1); (0, 3, Qmake (47377632051) 1099511627776); (1, 1, Qmake (1) 1); (1, 2, Qmake (225797026623) 4398046511104); (1, 3, Qmake (219802414069) 17592186044416); (2, 1, Qmake (1) 1); (2, 2, Qmake (5412980334257) 17592186044416); (3, 1, Qmake (1) 1)]).

Definition holds_command_path_one_shot : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 (Qmake (0) 1))
    (ViewOf [:: 2] true) [:: 0]
    true (Qmake (1) 1)
    (Alibis [:: (0, 0, [:: (0, 0, Qmake (1) 1)])]).

Definition holds_command_path_paper : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 (Qmake (0) 1))
    (ViewOf [:: 2] false) [:: 0]
    true (Qmake (1) 2)
    (Alibis [:: (0, 0, [:: (0, 0, Qmake (1) 2); (0, 2, Qmake (1) 2)])]).

Definition holds_command_path_refreshed : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (1, 2); (2, 3)] Metropolis)) 3 (Qmake (1) 2))
    (ViewOf [:: 0] true) [:: 3]
    true (Qmake (10638297872341) 250000000000000)
    (Absorption [:: Qmake (1) 1; Qmake (1) 1; Qmake (1) 1; Qmake (1) 1] [:: (0, 1, Qmake (1) 1); (0, 3, Qmake (187150913615) 4398046511104); (1, 1, Qmake (1) 1); (1, 2, Qmake (879609300279) 8796093022208); (2, 1, Qmake (1) 1)]).

Definition holds_command_ring_lazy : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] (Lazy Metropolis))) 2 (Qmake (0) 1))
    (ViewOf [:: 0] true) [:: 2]
    true (Qmake (1) 1)
    (Alibis [:: (0, 2, [:: (0, 2, Qmake (1) 1)])]).

Definition holds_command_ring_one_shot : certificate :=
  Certificate
    (Protocol 5 (nseq 3 (Network [:: (0, 1); (0, 4); (1, 2); (2, 3); (3, 4)] Metropolis)) 3 (Qmake (0) 1))
    (ViewOf [:: 0] true) [:: 2]
    true (Qmake (1) 1)
    (Alibis [:: (0, 2, [:: (0, 2, Qmake (1) 1)])]).

Definition holds_command_ring_refreshed : certificate :=
  Certificate
    (Protocol 4 (nseq 3 (Network [:: (0, 1); (0, 3); (1, 2); (2, 3)] Metropolis)) 3 (Qmake (1) 2))
    (ViewOf [:: 0] true) [:: 2]
    true (Qmake (30769230769231) 62500000000000)
    (Absorption [:: Qmake (1) 1; Qmake (1) 1; Qmake (1) 1; Qmake (1) 1] [:: (0, 1, Qmake (1) 1); (0, 2, Qmake (8660768495913) 17592186044416); (0, 3, Qmake (1) 1); (1, 1, Qmake (1) 1); (1, 2, Qmake (3198579249511) 17592186044416); (1, 3, Qmake (1) 1); (2, 1, Qmake (1) 1); (2, 3, Qmake (1) 1)]).

Definition holds_command_star_group : certificate :=
  Certificate
    (Protocol 5 (nseq 2 (Network [:: (0, 1); (0, 2); (0, 3); (0, 4)] Metropolis)) 2 (Qmake (0) 1))
    (ViewOf [:: 3] true) [:: 1; 2]
    true (Qmake (4) 3)
    (Alibis [:: (0, 1, [:: (0, 1, Qmake (1) 3); (0, 2, Qmake (1) 3); (0, 4, Qmake (1) 3)]); (0, 2, [:: (0, 1, Qmake (1) 3); (0, 2, Qmake (1) 3); (0, 4, Qmake (1) 3)])]).

Definition holds_command_star_one_shot : certificate :=
  Certificate
    (Protocol 4 (nseq 2 (Network [:: (0, 1); (0, 2); (0, 3)] Metropolis)) 2 (Qmake (0) 1))
    (ViewOf [:: 2] true) [:: 1]
    true (Qmake (1) 2)
    (Alibis [:: (0, 1, [:: (0, 1, Qmake (1) 2); (0, 3, Qmake (1) 2)])]).

Definition refused_absorption_claims_less : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 (Qmake (0) 1))
    (ViewOf [:: 0] true) [:: 2]
    true (Qmake (1111) 10000)
    (Absorption [:: Qmake (1) 1; Qmake (1) 1; Qmake (1) 1] [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1)]).

Definition refused_absorption_is_heard : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 (Qmake (0) 1))
    (ViewOf [:: 0] true) [:: 2]
    true (Qmake (139) 1250)
    (Absorption [:: Qmake (1) 1; Qmake (1) 1; Qmake (1) 1] [:: (0, 1, Qmake (1) 1)]).

Definition refused_absorption_of_too_much : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 (Qmake (0) 1))
    (ViewOf [:: 0] true) [:: 2]
    true (Qmake (139) 1250)
    (Absorption [:: Qmake (1) 1; Qmake (1) 1; Qmake (1) 1] [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (2) 1)]).

Definition refused_absorption_where_steps_stretch : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 (Qmake (0) 1))
    (ViewOf [:: 0] true) [:: 2]
    true (Qmake (139) 1250)
    (Absorption [:: Qmake (2) 1; Qmake (2) 1; Qmake (2) 1] [:: (0, 1, Qmake (1) 1); (1, 1, Qmake (1) 1)]).

Definition refused_alibi_claims_less : certificate :=
  Certificate
    (Protocol 3 (nseq 3 (Network [:: (0, 1); (1, 2)] Metropolis)) 3 (Qmake (1) 2))
    (ViewOf [:: 0] true) [:: 2]
    true (Qmake (17) 27)
    (Alibis [:: (0, 2, [::])]).

Definition refused_alibi_of_a_known_draw : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 (Qmake (0) 1))
    (ViewOf [:: 2] true) [:: 0]
    true (Qmake (1) 2)
    (Alibis [:: (0, 0, [:: (0, 0, Qmake (1) 2); (0, 2, Qmake (1) 2)])]).

Definition refused_alibi_of_the_farther : certificate :=
  Certificate
    (Protocol 5 (nseq 3 (Network [:: (0, 1); (1, 3); (1, 4); (2, 3); (2, 4)] Metropolis)) 3 (Qmake (0) 1))
    (ViewOf [:: 0] true) [:: 2]
    true (Qmake (1) 2)
    (Alibis [:: (0, 2, [:: (0, 2, Qmake (1) 2); (0, 4, Qmake (1) 2)])]).

Definition refused_alibi_without_noise : certificate :=
  Certificate
    (Protocol 3 (nseq 3 (Network [:: (0, 1); (1, 2)] Metropolis)) 3 (Qmake (0) 1))
    (ViewOf [:: 0] true) [:: 2]
    true (Qmake (52) 81)
    (Alibis [:: (0, 2, [::])]).

Definition refused_attack_as_an_upper_bound : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 (Qmake (0) 1))
    (ViewOf [:: 2] true) [:: 0]
    true (Qmake (1) 1)
    (Attack [:: (0, 0, Qmake (1) 1)] [:: (0, 1, Qmake (-1) 1); (1, 1, Qmake (3) 1)] [:: (0, 2, Qmake (-1) 1)]).

Definition refused_attack_claims_more : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 (Qmake (0) 1))
    (ViewOf [:: 2] true) [:: 0]
    false (Qmake (10001) 10000)
    (Attack [:: (0, 0, Qmake (1) 1)] [:: (0, 1, Qmake (-1) 1); (1, 1, Qmake (3) 1)] [:: (0, 2, Qmake (-1) 1)]).

Definition refused_attack_on_a_message_to_another : certificate :=
  Certificate
    (Protocol 3 [:: Average 0 1; Average 1 2] 2 (Qmake (0) 1))
    (ViewOf [:: 2] true) [:: 0; 1]
    false (Qmake (1) 1)
    (Attack [:: (0, 1, Qmake (1) 1)] [:: (0, 1, Qmake (1) 1)] [::]).

Definition refused_attack_with_unknown_noise : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 2 (Qmake (0) 1))
    (ViewOf [:: 2] false) [:: 0]
    false (Qmake (1) 1)
    (Attack [:: (0, 0, Qmake (1) 1)] [:: (0, 1, Qmake (-1) 1); (1, 1, Qmake (3) 1)] [:: (0, 2, Qmake (-1) 1)]).

Definition refused_source_that_observes : certificate :=
  Certificate
    (Protocol 3 (nseq 2 (Network [:: (0, 1); (1, 2)] Metropolis)) 1 (Qmake (0) 1))
    (ViewOf [:: 0] true) [:: 0]
    true (Qmake (2) 1)
    (Absorption [:: Qmake (1) 1; Qmake (1) 1; Qmake (1) 1] [:: (0, 0, Qmake (1) 1); (1, 0, Qmake (1) 1)]).

(* Files that prove what they claim are accepted. *)
Theorem proofs_on_file_are_accepted : all check
  [:: holds_absorption_on_a_path;
      holds_absorption_with_fresh_noise;
      holds_alibi_in_the_paper_s_view;
      holds_alibi_of_the_nearer;
      holds_alibi_with_fresh_noise;
      holds_alibis_of_a_group;
      holds_attack_in_the_paper_s_view;
      holds_attack_on_a_group;
      holds_attack_on_a_path;
      holds_attack_on_the_farther;
      holds_command_cube;
      holds_command_path_coalition;
      holds_command_path_descent;
      holds_command_path_descent_fresh;
      holds_command_path_one_shot;
      holds_command_path_paper;
      holds_command_path_refreshed;
      holds_command_ring_lazy;
      holds_command_ring_one_shot;
      holds_command_ring_refreshed;
      holds_command_star_group;
      holds_command_star_one_shot].
Proof. by vm_compute. Qed.

(* Files that do not are refused. *)
Theorem other_files_are_refused : ~~ has check
  [:: refused_absorption_claims_less;
      refused_absorption_is_heard;
      refused_absorption_of_too_much;
      refused_absorption_where_steps_stretch;
      refused_alibi_claims_less;
      refused_alibi_of_a_known_draw;
      refused_alibi_of_the_farther;
      refused_alibi_without_noise;
      refused_attack_as_an_upper_bound;
      refused_attack_claims_more;
      refused_attack_on_a_message_to_another;
      refused_attack_with_unknown_noise;
      refused_source_that_observes].
Proof. by vm_compute. Qed.
