/**
 * The mutation log of a mount: {@link io.packing.bdt.master.log.MutationLog} as others may implement it, the log in local
 * files, and the one writer, which makes groups of mutations durable and then applies them to the store.
 */
@NullMarked
package io.packing.bdt.master.log;

import org.jspecify.annotations.NullMarked;
