// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

/** The commands of {@code docs/tasks.md}. */
final class TasksPageIT extends PageCommands {}
