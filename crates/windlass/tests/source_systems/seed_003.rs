//! The verification loop: the requirements of document 003.

mod hierarchy;

use crate::frame::Case::{Held, Run};
use crate::frame::requirements;

requirements! {
    r062 Works "State PENDING, IN_PROGRESS, TESTING, COMPLETED";
    r063 Better "TEST_FAILED";
    r064 Better "BLOCKED";
    r065 Missing "Seed's task model runs as it is (no files field)" => Held("windlass/tests/e2e/open_tasks.rs", "the_task_model_of_super_planner_runs_as_it_is");
    r066 Missing "New code behind an existing failing test, no files named" => Held("windlass/tests/e2e/open_tasks.rs", "the_task_model_of_super_planner_runs_as_it_is");
    r067 Missing "test_command only" => Held("windlass/tests/e2e/open_tasks.rs", "the_task_model_of_super_planner_runs_as_it_is");
    r068 Partly "requires_testing false skips tests" => Held("windlass/tests/e2e/open_tasks.rs", "the_task_model_of_super_planner_runs_as_it_is");
    r069 Works "Automatic test run after implementation";
    r070 Works "Bug-hunter gets failure text";
    r071 Works "Bug-hunter brief has task, failures, test command";
    r072 Worse "Up to 3 bug-hunter retries" => Held("core/src/policy/ladder/tests.rs", "the_same_failure_shortens_rungs_and_ends_the_ladder");
    r073 Works "Retry limit ends in a failure with details";
    r074 Works "COMPLETED never with failing tests";
    r075 Works "test_file";
    r076 Works "test_command with files declared";
    r077 Missing "Convention 1: tests/test_{id}.py" => Held("windlass/src/cli/proofs.rs", "a_task_without_a_test_has_the_one_of_its_name");
    r078 Missing "Convention 2: make test-{id}" => Held("windlass/src/cli/proofs.rs", "a_task_without_a_test_has_the_one_of_its_name");
    r079 Missing "Convention 3: {id}_test.py, test_{id}.py" => Held("windlass/src/cli/proofs.rs", "a_task_without_a_test_has_the_one_of_its_name");
    r080 Better "No test command = refused, not passed";
    r081 Works "Dependants of a failure do not run";
    r082 Works "Independent tasks go on";
    r083 Works "is_parent, parent_id";
    r084 Partly "sub_project_id: load nested project" => Run(hierarchy::a_project_finds_its_sub_projects);
    r085 Works "Recursive execution, one pool" => Run(hierarchy::a_failing_phase_stays_alone);
    r086 Works "Parent state from children";
    r087 Better "Failures bubble up, parent stays in progress";
    r088 Works "max depth 3";
    r089 Works "Sub-project cycle" => Run(hierarchy::a_cycle_of_projects_is_named);
    r090 Missing "Propose phases for an idea ('Build a vi editor')" => Run(hierarchy::an_idea_becomes_phases);
    r091 Partly "Phase breakdown from documents" => Run(hierarchy::criteria_below_phases_are_kept);
    r092 Missing "Ask/suggest hierarchy above 10/15 tasks without stated phases" => Run(hierarchy::a_large_flat_plan_is_grouped);
    r093 Worse "Always ask before decomposition" => Run(hierarchy::a_person_is_asked_first);
    r094 Partly "yes / no / customise" => Run(hierarchy::phases_can_be_customised);
    r095 Works "--flat";
    r096 Works "--max-depth N";
    r097 Works "Plan phase N from results";
    r098 Works "Sub-projects < 10 tasks";
    r099 Partly "show --depth 2 / tree view" => Run(hierarchy::phases_are_shown_by_name_and_depth);
    r100 Missing "status phase-2 (drill down)" => Run(hierarchy::a_phase_can_be_looked_into);
    r101 Partly "'Phase 2: Buffer Management (3/3 complete)'" => Run(hierarchy::phases_are_shown_by_name_and_depth);
    r102 Works "Trigger: bug-hunter success <50 %";
    r103 Works "Trigger: test time >30 %";
    r104 Works "Trigger: people override";
    r105 Partly "Trigger: conventions miss >20 %" => Run(hierarchy::the_report_has_goals_and_triggers);
    r106 Works "Trigger: depth >3";
    r107 Missing "Trigger: context limits still hit" => Run(hierarchy::the_report_has_goals_and_triggers);
    r108 Partly "Metrics: pass rate, fixes >80 %, nothing completed red" => Run(hierarchy::the_report_has_goals_and_triggers);
}
