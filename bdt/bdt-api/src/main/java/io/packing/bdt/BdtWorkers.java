// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Calls of workers to a mount's table: sessions, and reads that workers do for users. Thread-safe.
 */
public interface BdtWorkers {
    /**
     * Makes this process the one writer of a worker id: older sessions of the same id are fenced.
     *
     * @throws WorkerInUseException when another process has the id and is alive
     */
    WorkerSession register(WorkerRegistration registration) throws IOException;

    /**
     * Returns the bytes of a version that a user may read; only daemons may ask.
     *
     * @param path by which the user opened it: the file there, now or in its snapshot, determines the bytes
     * @param offset from which on the answer covers the bytes
     * @return empty when the version is gone
     * @throws DeniedException when the user may read none of them
     */
    Optional<ReadableBytes> readable(FilePath path, FileVersion version, String user, long offset) throws IOException;

    /**
     * Locates a version for a worker that reads it for users, and checks their rights by {@link #readable}; only
     * daemons may ask. The answer names neither path nor owner.
     */
    Optional<LocatedFile> locateForUsers(FileVersion version) throws IOException;

    /**
     * Looks up several paths as {@link BdtLookups#find} does, with the rights of a user for whom a worker reads; only daemons
     * may ask.
     *
     * @param paths at most {@value FoundEntry#MOST_PATHS}
     * @return empty: the master is of an older version, which would count the rights of the worker
     */
    Optional<List<FoundEntry>> findForUser(List<FilePath> paths, BdtUser user) throws IOException;
}
