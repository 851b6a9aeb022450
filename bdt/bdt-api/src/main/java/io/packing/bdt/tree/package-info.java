/**
 * What differs between two trees of a mount, such as a snapshot and the present, and how to undo it: clients of the port
 * alone, so they work on a table in this process and on a remote one.
 */
@NullMarked
package io.packing.bdt.tree;

import org.jspecify.annotations.NullMarked;
