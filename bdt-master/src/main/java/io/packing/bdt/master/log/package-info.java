/**
 * The mutation log of a mount, in local files, and its one writer, which makes groups of mutations durable and then applies
 * them.
 */
@NullMarked
package io.packing.bdt.master.log;

import org.jspecify.annotations.NullMarked;
