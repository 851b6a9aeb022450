// SPDX-License-Identifier: Apache-2.0
/**
 * The differences between two trees of a mount, such as a snapshot and the present, and their undoing. It uses only the
 * port, so it works on a table in this process and on a remote one.
 */
@NullMarked
package io.packing.bdt.tree;

import org.jspecify.annotations.NullMarked;
