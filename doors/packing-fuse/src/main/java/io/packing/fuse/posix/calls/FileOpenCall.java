// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.calls;

import io.packing.bdt.LocatedFile;
import io.packing.blob.FileVersion;
import io.packing.fuse.Caller;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.Opened;
import io.packing.fuse.posix.ErrnoMapping;
import io.packing.fuse.posix.node.Node;
import io.packing.fuse.posix.node.NodeNames.NodeKey;
import io.packing.fuse.posix.node.OpenMount;
import io.packing.fuse.posix.node.ReplacedFiles;
import io.packing.worker.api.PackingInput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;

/**
 * The call {@code open(2)}. An open of a file that a rename has replaced fails with ESTALE, and the kernel then looks
 * up the name again. An open file gives the bytes of its version at the open, or of a later one of the same file.
 */
final class FileOpenCall {
    private static final int ACCESS_MODE = 3;
    private static final int WRITE_ONLY = 1;
    /** The number of a file's versions that may go before their bytes were read. */
    private static final int TRIES = 8;

    private final OpenMount open;
    private final FileCalls files;

    /** An answer to the kernel, and true if the bytes of the file are read before it. */
    private record Answer(Opened opened, boolean pins) {}

    FileOpenCall(OpenMount open, FileCalls files) {
        this.open = open;
        this.files = files;
    }

    Opened open(Caller caller, Node node, int flags) throws FuseException, IOException {
        try {
            Opened opened = openOnce(caller, node, flags);
            open.replaced.succeed(caller);
            return opened;
        } catch (FuseException e) {
            if (e.errno() == Errno.ESTALE) {
                open.replaced.refuse(caller, NodeKey.of(node));
            }
            throw e;
        }
    }

    private Opened openOnce(Caller caller, Node node, int flags) throws FuseException, IOException {
        Answer answer = open.locks.locked(node, () -> openLocked(caller, node, flags));
        if (answer.pins()) {
            try {
                pin(node);
            } catch (FuseException | IOException | RuntimeException e) {
                files.release(node);
                throw e;
            }
        }
        return answer.opened();
    }

    private Answer openLocked(Caller caller, Node node, int flags) throws FuseException, IOException {
        boolean keeps = false;
        boolean pins = false;
        boolean writes = (flags & ACCESS_MODE) != 0;
        if (!node.isDirty() && !isOpenWithoutName(node)) {
            Optional<FileVersion> before = node.pagesVersion;
            pins = openNow(caller, node, flags);
            keeps = before.equals(node.pagesVersion);
        }
        open.opens(node, node.opens + 1);
        Opened opened = new Opened(0, (keeps ? Opened.KEEP_CACHE : 0) | (writes ? 0 : Opened.NO_FLUSH));
        return new Answer(opened, pins && !keeps);
    }

    /** Returns whether programs still have a file without a name open. */
    private static boolean isOpenWithoutName(Node node) {
        return node.unlinked && (node.opens > 0 || node.kept.isPresent());
    }

    /** Opens the table's present file; returns true if the bytes may go when another client replaces it. */
    private boolean openNow(Caller caller, Node node, int flags) throws FuseException, IOException {
        Optional<ReplacedFiles.Found> found = open.replaced.found(caller, node);
        boolean writes = (flags & ACCESS_MODE) != 0;
        // Another client gave the name to another file, so writes to this one could not be published.
        if (found.isPresent() && (!writes || node.unlinked)) {
            openPinned(node, found.get());
            return false;
        }
        if (node.unlinked) {
            throw new FuseException(Errno.ESTALE, "node %d was replaced or deleted".formatted(node.number));
        }
        if ((flags & ACCESS_MODE) == WRITE_ONLY) {
            shows(node, files.refreshed(node));
            return false;
        }
        LocatedFile located = files.openInput(node);
        shows(node, located.status().version());
        return open.pinned.isNeededFor(located);
    }

    private void shows(Node node, FileVersion version) throws IOException {
        files.dropStale(node, version);
        node.pagesVersion = Optional.of(version);
    }

    /** Opens the file that a repeated lookup found, even if another one has replaced it since. */
    private void openPinned(Node node, ReplacedFiles.Found found) throws IOException {
        FileVersion version = found.status().version();
        node.closeInput();
        node.input = found.input();
        node.inputVersion = Optional.of(version);
        shows(node, version);
    }

    /**
     * Reads the bytes of an open file that may go, without its lock, so that other calls need not wait for a worker.
     */
    private void pin(Node node) throws FuseException, IOException {
        for (int attempt = 1; ; attempt++) {
            Optional<PackingInput> input = open.locks.locked(node, () -> Optional.ofNullable(node.input));
            if (input.isEmpty()) {
                return;
            }
            try {
                Optional<PackingInput> pinned = open.pinned.pin(input.get());
                if (pinned.isPresent()) {
                    put(node, input.get(), pinned.get());
                }
                return;
            } catch (FileNotFoundException e) {
                if (attempt == TRIES) {
                    throw ErrnoMapping.of(e);
                }
                reopen(node, input.get());
            }
        }
    }

    private void put(Node node, PackingInput before, PackingInput pinned) throws FuseException, IOException {
        boolean unused = open.locks.locked(node, () -> {
            boolean isSame = node.input == before;
            if (isSame) {
                node.input = pinned;
                before.close();
            } else {
                pinned.close();
            }
            return isSame;
        });
    }

    /**
     * Opens the newer version of a file after the bytes of the older one went; another file under the name is ESTALE.
     */
    private void reopen(Node node, PackingInput gone) throws FuseException, IOException {
        boolean unused = open.locks.locked(node, () -> {
            boolean isSame = node.input == gone;
            if (isSame) {
                node.closeInput();
                shows(node, files.openInput(node).status().version());
            }
            return isSame;
        });
    }
}
