//! Contract tasks: the requirements of document 004.

mod rules;
mod typescript;

use crate::frame::Case::Run;
use crate::frame::requirements;

requirements! {
    r109 Works "Front matter id, title, layer, track, depends_on, estimated_complexity";
    r110 Works "Six sections parsed, nested fences";
    r111 Partly "All six sections required" => Run(rules::six_sections_are_required);
    r112 Partly "Seed example TASK-042 runs in a strict TS/vitest repository" => Run(typescript::the_method_addition_runs);
    r113 Missing "Seed example 4.1-4.6 (content service) runs" => Run(typescript::the_content_service_runs);
    r114 Partly "Examples referring to earlier tasks" => Run(rules::earlier_tasks_need_no_entry);
    r115 Works "Contract: signatures, path comment, no bodies";
    r116 Partly "Contract: no prose" => Run(rules::prose_in_a_fence_is_found);
    r117 Works "Contract validation: functions, classes";
    r118 Missing "Contract validation: object const (the seed's own form)" => Run(typescript::object_contracts_are_compared);
    r119 Missing "Contract validation: 'ADD to existing object', interface, type, const" => Run(typescript::additions_are_compared);
    r120 Works "Export names must match";
    r121 Works "Dependencies: source task, short";
    r122 Works "Interfaces instead of files in the brief";
    r123 Works "Test Specification written by the engine, frozen";
    r124 Partly "Tests complete and runnable" => Run(typescript::the_content_service_runs);
    r125 Works "Success and error cases";
    r126 Works "WRITE / MODIFY / READ / DELETE";
    r127 Partly "WRITE new, MODIFY existing" => Run(rules::write_and_modify_are_told_apart);
    r128 Missing "Line estimates required" => Run(rules::lines_are_estimated);
    r129 Works "Verification: one script, order, cd persists, stops";
    r130 Works "Pass/fail only";
    r131 Works "Done When objective";
    r132 Works "Size: 15/30/50 lines";
    r133 Works "More than 65 lines must split";
    r134 Works "Token budgets 500…2000";
    r135 Works "Files 150/200/100";
    r136 Works "More than 2 files to read";
    r137 Works "More than 3 steps";
    r138 Works "Several independent functions";
    r139 Works "Anti-pattern: vague";
    r140 Works "Anti-pattern: follow existing pattern";
    r141 Works "Anti-pattern: judgment";
    r142 Works "Anti-pattern: edge cases";
    r143 Works "Anti-pattern: similar to";
    r144 Works "Anti-pattern: multi-file";
    r145 Works "Anti-pattern: placeholders";
    r146 Works "Chain dependencies";
    r147 Works "DAG, order, parallel";
    r148 Works "Unknown dependency";
    r149 Works "Gate: type check";
    r150 Works "Gate: unit tests";
    r151 Worse "8K context for every task" => Run(rules::contract_tasks_have_eight_thousand_tokens);
    r152 Works "Worker gets one task, no memory";
    r153 Works "Retry with enriched context";
    r154 Works "100+ concurrent";
    r155 Works "Isolated failures";
    r156 Works "Review at PR level";
}
