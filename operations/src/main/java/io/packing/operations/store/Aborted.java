// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.store;

import java.io.IOException;
import org.apache.hadoop.fs.Abortable;
import org.jspecify.annotations.Nullable;

/** The result of an abort, for Hadoop. */
record Aborted(boolean alreadyClosed, @Nullable IOException anyCleanupException) implements Abortable.AbortableResult {}
