//! What the readers make of documents: a Markdown fixture → facts, each with the line it was read from.
//!
//! The fixtures are the documentation of the rules. Their text says which rule a line shows.

mod components;
mod criteria;
mod details;
mod facts;
mod features;
mod files;
mod finish;
mod kinds;
mod leftovers;
mod manners;
mod order;
mod outline;
mod plain_text;
mod remaining;
mod remarks;
mod stories;
mod strangers;
mod structure;
mod tasks;
mod twice;
mod whole;
