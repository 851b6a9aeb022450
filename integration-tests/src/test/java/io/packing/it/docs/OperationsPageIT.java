// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

/** The commands of {@code docs/operations.md}. */
final class OperationsPageIT extends PageCommands {}
