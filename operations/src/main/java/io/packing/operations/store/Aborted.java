package io.packing.operations.store;

import java.io.IOException;
import org.apache.hadoop.fs.Abortable;
import org.jspecify.annotations.Nullable;

/** How an abort ended, as Hadoop asks for it. */
record Aborted(boolean alreadyClosed, @Nullable IOException anyCleanupException) implements Abortable.AbortableResult {}
