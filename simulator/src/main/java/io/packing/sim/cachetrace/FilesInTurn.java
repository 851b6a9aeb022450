// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.cachetrace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Several traces, one after the other, as one. */
public final class FilesInTurn implements CacheRequests {
    /** An opener of one of the files. */
    @FunctionalInterface
    public interface Opener {
        CacheRequests open(Path file) throws IOException;
    }

    private final List<Path> files;
    private final Opener opener;
    private CacheRequests current;
    private int next = 1;
    private TraceDefects before = TraceDefects.NONE;

    /** Opens the first file. The list must not be empty. */
    public FilesInTurn(List<Path> files, Opener opener) throws IOException {
        if (files.isEmpty()) {
            throw new IllegalArgumentException("files: the list is empty");
        }
        this.files = List.copyOf(files);
        this.opener = opener;
        current = opener.open(files.get(0));
    }

    @Override
    public boolean advance() throws IOException {
        while (!current.advance()) {
            if (next == files.size()) {
                return false;
            }
            current.close();
            before = before.plus(current.damage());
            current = opener.open(files.get(next++));
        }
        return true;
    }

    @Override
    public long object() {
        return current.object();
    }

    @Override
    public long bytes() {
        return current.bytes();
    }

    @Override
    public TraceDefects damage() {
        return before.plus(current.damage());
    }

    @Override
    public void close() throws IOException {
        current.close();
    }
}
