// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

/** The commands of {@code docs/migrate.md}. */
final class MigratePageIT extends PageCommands {}
