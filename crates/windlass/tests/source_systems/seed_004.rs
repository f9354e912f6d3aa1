//! Contract tasks: the requirements of document 004.

mod carried_out;
mod rules;
mod typescript;

use crate::frame::Case::Run;
use crate::frame::requirements;

requirements! {
    r109 Works "Front matter id, title, layer, track, depends_on, estimated_complexity" => Run(rules::the_front_matter_is_read);
    r110 Works "Six sections parsed, nested fences" => Run(rules::the_sections_are_read);
    r111 Partly "All six sections required" => Run(rules::six_sections_are_required);
    r112 Partly "Seed example TASK-042 runs in a strict TS/vitest repository" => Run(typescript::the_method_addition_runs);
    r113 Missing "Seed example 4.1-4.6 (content service) runs" => Run(typescript::the_content_service_runs);
    r114 Partly "Examples referring to earlier tasks" => Run(rules::earlier_tasks_need_no_entry);
    r115 Works "Contract: signatures, path comment, no bodies" => Run(rules::a_contract_is_signatures_and_a_path);
    r116 Partly "Contract: no prose" => Run(rules::prose_in_a_fence_is_found);
    r117 Works "Contract validation: functions, classes" => Run(carried_out::signatures_are_compared);
    r118 Missing "Contract validation: object const (the seed's own form)" => Run(typescript::object_contracts_are_compared);
    r119 Missing "Contract validation: 'ADD to existing object', interface, type, const" => Run(typescript::additions_are_compared);
    r120 Works "Export names must match" => Run(carried_out::exports_must_be_there);
    r121 Works "Dependencies: source task, short" => Run(rules::dependencies_are_short_and_sourced);
    r122 Works "Interfaces instead of files in the brief" => Run(carried_out::briefs_have_interfaces);
    r123 Works "Test Specification written by the engine, frozen" => Run(carried_out::tests_are_written_and_frozen);
    r124 Partly "Tests complete and runnable" => Run(typescript::the_content_service_runs);
    r125 Works "Success and error cases" => Run(rules::errors_are_tested);
    r126 Works "WRITE / MODIFY / READ / DELETE" => Run(carried_out::files_are_what_the_task_lists);
    r127 Partly "WRITE new, MODIFY existing" => Run(rules::write_and_modify_are_told_apart);
    r128 Missing "Line estimates required" => Run(rules::lines_are_estimated);
    r129 Works "Verification: one script, order, cd persists, stops" => Run(carried_out::the_verification_is_one_script);
    r130 Works "Pass/fail only" => Run(rules::verification_can_fail);
    r131 Works "Done When objective" => Run(rules::the_check_list_can_be_checked);
    r132 Works "Size: 15/30/50 lines" => Run(rules::sizes_have_limits);
    r133 Works "More than 65 lines must split" => Run(rules::large_tasks_must_be_split);
    r134 Works "Token budgets 500…2000" => Run(rules::tokens_have_limits);
    r135 Works "Files 150/200/100" => Run(rules::files_have_limits);
    r136 Works "More than 2 files to read" => Run(rules::few_files_are_read);
    r137 Works "More than 3 steps" => Run(rules::few_steps_are_taken);
    r138 Works "Several independent functions" => Run(rules::few_functions_are_made);
    r139 Works "Anti-pattern: vague" => Run(rules::vague_titles_are_found);
    r140 Works "Anti-pattern: follow existing pattern" => Run(rules::patterns_elsewhere_are_found);
    r141 Works "Anti-pattern: judgment" => Run(rules::judgment_is_found);
    r142 Works "Anti-pattern: edge cases" => Run(rules::edge_cases_are_found);
    r143 Works "Anti-pattern: similar to" => Run(rules::memories_are_found);
    r144 Works "Anti-pattern: multi-file" => Run(rules::many_files_are_found);
    r145 Works "Anti-pattern: placeholders" => Run(rules::placeholders_are_found);
    r146 Works "Chain dependencies" => Run(rules::chains_are_found);
    r147 Works "DAG, order, parallel" => Run(rules::the_drawn_graph_is_ordered);
    r148 Works "Unknown dependency" => Run(rules::unknown_dependencies_are_found);
    r149 Works "Gate: type check" => Run(typescript::types_are_checked);
    r150 Works "Gate: unit tests" => Run(typescript::tests_are_run_by_vitest);
    r151 Worse "8K context for every task" => Run(rules::contract_tasks_have_eight_thousand_tokens);
    r152 Works "Worker gets one task, no memory" => Run(carried_out::workers_have_no_memory);
    r153 Works "Retry with enriched context" => Run(carried_out::retries_know_more);
    r154 Works "100+ concurrent" => Run(carried_out::a_hundred_agents_at_once);
    r155 Works "Isolated failures" => Run(carried_out::a_failure_stays_alone);
    r156 Works "Review at PR level" => Run(carried_out::the_branch_is_reviewed_as_a_whole);
}
