//! The verification loop: the requirements of document 003.

mod hierarchy;
mod task_model;
mod triggers;
mod verified;

use crate::frame::Case::{Deviates, Run};
use crate::frame::requirements;

requirements! {
    r062 Works "State PENDING, IN_PROGRESS, TESTING, COMPLETED" => Run(verified::states_follow_each_other);
    r063 Better "TEST_FAILED" => Deviates(verified::failed_tests_are_a_state);
    r064 Better "BLOCKED" => Deviates(verified::blocked_means_a_person_is_needed);
    r065 Missing "Seed's task model runs as it is (no files field)" => Run(task_model::the_task_model_of_super_planner_runs_as_it_is);
    r066 Missing "New code behind an existing failing test, no files named" => Run(task_model::the_task_model_of_super_planner_runs_as_it_is);
    r067 Missing "test_command only" => Run(task_model::the_task_model_of_super_planner_runs_as_it_is);
    r068 Partly "requires_testing false skips tests" => Run(task_model::the_task_model_of_super_planner_runs_as_it_is);
    r069 Works "Automatic test run after implementation" => Run(verified::tests_run_by_themselves);
    r070 Works "Bug-hunter gets failure text" => Run(verified::the_bug_hunter_is_told);
    r071 Works "Bug-hunter brief has task, failures, test command" => Run(verified::the_bug_hunter_is_told);
    r072 Worse "Up to 3 bug-hunter retries" => Run(verified::three_bug_hunters);
    r073 Works "Retry limit ends in a failure with details" => Run(verified::the_end_has_the_details);
    r074 Works "COMPLETED never with failing tests" => Run(verified::nothing_is_completed_with_failing_tests);
    r075 Works "test_file" => Run(verified::a_test_file_is_enough);
    r076 Works "test_command with files declared" => Run(verified::a_test_command_is_enough);
    r077 Missing "Convention 1: tests/test_{id}.py" => Run(verified::the_first_convention);
    r078 Missing "Convention 2: make test-{id}" => Run(verified::the_second_convention);
    r079 Missing "Convention 3: {id}_test.py, test_{id}.py" => Run(verified::the_third_convention);
    r080 Better "No test command = refused, not passed" => Deviates(verified::without_a_test_nothing_runs);
    r081 Works "Dependants of a failure do not run" => Run(verified::dependants_do_not_run);
    r082 Works "Independent tasks go on" => Run(verified::independent_tasks_go_on);
    r083 Works "is_parent, parent_id" => Run(hierarchy::parents_are_read);
    r084 Partly "sub_project_id: load nested project" => Run(hierarchy::a_project_finds_its_sub_projects);
    r085 Works "Recursive execution, one pool" => Run(hierarchy::a_failing_phase_stays_alone);
    r086 Works "Parent state from children" => Run(hierarchy::parents_follow_their_children);
    r087 Better "Failures bubble up, parent stays in progress" => Deviates(hierarchy::failures_bubble_up);
    r088 Works "max depth 3" => Run(hierarchy::the_depth_is_limited);
    r089 Works "Sub-project cycle" => Run(hierarchy::a_cycle_of_projects_is_named);
    r090 Missing "Propose phases for an idea ('Build a vi editor')" => Run(hierarchy::an_idea_becomes_phases);
    r091 Partly "Phase breakdown from documents" => Run(hierarchy::criteria_below_phases_are_kept);
    r092 Missing "Ask/suggest hierarchy above 10/15 tasks without stated phases" => Run(hierarchy::a_large_flat_plan_is_grouped);
    r093 Worse "Always ask before decomposition" => Run(hierarchy::a_person_is_asked_first);
    r094 Partly "yes / no / customise" => Run(hierarchy::phases_can_be_customised);
    r095 Works "--flat" => Run(hierarchy::flat_stays_flat);
    r096 Works "--max-depth N" => Run(hierarchy::the_depth_is_chosen);
    r097 Works "Plan phase N from results" => Run(hierarchy::a_phase_is_planned_from_what_is_there);
    r098 Works "Sub-projects < 10 tasks" => Run(hierarchy::phases_have_fewer_than_ten_tasks);
    r099 Partly "show --depth 2 / tree view" => Run(hierarchy::phases_are_shown_by_name_and_depth);
    r100 Missing "status phase-2 (drill down)" => Run(hierarchy::a_phase_can_be_looked_into);
    r101 Partly "'Phase 2: Buffer Management (3/3 complete)'" => Run(hierarchy::phases_are_shown_by_name_and_depth);
    r102 Works "Trigger: bug-hunter success <50 %" => Run(triggers::repairs_that_fail);
    r103 Works "Trigger: test time >30 %" => Run(triggers::time_in_tests);
    r104 Works "Trigger: people override" => Run(triggers::people_override);
    r105 Partly "Trigger: conventions miss >20 %" => Run(triggers::tests_without_names);
    r106 Works "Trigger: depth >3" => Run(triggers::levels_of_parents);
    r107 Missing "Trigger: context limits still hit" => Run(triggers::context_limits);
    r108 Partly "Metrics: pass rate, fixes >80 %, nothing completed red" => Run(triggers::goals);
}
