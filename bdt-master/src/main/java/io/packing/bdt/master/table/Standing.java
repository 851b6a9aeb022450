// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import io.packing.bdt.FileStatus;
import io.packing.bdt.master.table.change.HeldFiles;
import io.packing.bdt.master.table.operation.LostAside;
import io.packing.bdt.master.table.read.RecentLookups;
import io.packing.bdt.master.table.read.TableView;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Referrer;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state of a mount for operators: files that are lost, the lack of workers, and what was written where. Thread-safe. */
public final class Standing {
    private static final Logger LOG = LoggerFactory.getLogger(Standing.class);
    private static final int ROWS = 10_000;

    private final TableState state;

    Standing(TableState state) {
        this.state = state;
    }

    /** Returns the files and bytes that workers wrote since the master opened the mount, by directory. */
    public WrittenDirectories directories() {
        return state.directories();
    }

    /** Returns the order in which clients located files by their paths. */
    public RecentLookups lookups() {
        return state.lookups();
    }

    /** Returns whether there may be rows of dropped snapshots to clean up. */
    public boolean mayHaveDroppedSnapshots() {
        return state.mayHaveDroppedSnapshots();
    }

    /** Tells the log what a worker came back without; returns true. */
    static boolean tell(SessionId session, HeldFiles.Count lost) {
        if (lost.files() > 0) {
            LOG.error(
                    "worker {} came back without {} files of {} bytes that it had: they are lost. Their names follow;"
                            + " 'packing fsck' names all",
                    session.worker(),
                    lost.files(),
                    lost.bytes());
        }
        return true;
    }

    /**
     * Returns for how long the mount has had no live worker although it has workers; empty: it has one, or none was ever there, or
     * all have left in order.
     */
    public Optional<Duration> withoutWorkers() {
        boolean awaited = state.sessions().all().stream().anyMatch(session -> !session.left());
        return awaited && state.workers().live().isEmpty()
                ? Optional.of(state.workers().silence())
                : Optional.empty();
    }

    /**
     * Lost files in a part of the table.
     *
     * @param paths by one of which each is shown
     * @param past contents of lost bytes that no file of the present has: snapshots show them, or only a clone's origin still has them
     * @param next where the next part begins; empty: this was the last one
     */
    public record LostPage(List<String> paths, List<Long> past, Optional<byte[]> next) {
        public LostPage {
            paths = List.copyOf(paths);
            past = List.copyOf(past);
        }
    }

    /** Returns where the first part of the table begins. */
    public static byte[] first() {
        // Contents come first in the order of keys.
        return Keys.kind(Keys.CONTENT);
    }

    /** Looks for lost files in a part of the table. */
    public LostPage lost(byte[] from) throws IOException {
        return state.ask(view -> new Search(view).page(from));
    }

    private static final class Search {
        private final TableView view;
        private final List<String> paths = new ArrayList<>();
        private final List<Long> past = new ArrayList<>();
        private byte[] last = new byte[0];
        private int visited;

        private Search(TableView view) {
            this.view = view;
        }

        private LostPage page(byte[] from) throws IOException {
            byte kind = from[0];
            view.rows().scan(from, Keys.kindEnd(kind), (key, row) -> {
                if (!Keys.isFence(key)) {
                    visit(kind, key, row);
                }
                last = key;
                return ++visited < ROWS;
            });
            if (visited == ROWS) {
                return new LostPage(paths, past, Optional.of(Keys.after(last)));
            }
            return new LostPage(
                    paths, past, kind == Keys.CONTENT ? Optional.of(Keys.kind(Keys.ENTRY)) : Optional.empty());
        }

        private void visit(byte kind, byte[] key, byte[] row) throws IOException {
            if (kind == Keys.CONTENT) {
                Content content = Content.decode(Keys.number(key), row);
                if (isLost(content.place())) {
                    paths.add(path(content));
                }
            } else if (Inode.isHeld(row) && isLost(Inode.decode(row).place())) {
                EntryLink at = new EntryLink(Keys.number(key), Keys.entryName(key));
                // What is in a directory that is being removed has no path any more.
                view.namespace().pathOf(at).map(FilePath::value).ifPresent(paths::add);
            }
        }

        private boolean isLost(Inode.Place place) {
            return !LostAside.isAside(place) && view.namespace().placements().state(place) == FileStatus.State.LOST;
        }

        private String path(Content content) throws IOException {
            Optional<Long> present = Referrer.present(view.rows(), content.id());
            if (present.isEmpty()) {
                past.add(content.id());
            }
            Optional<EntryLink> link =
                    present.isEmpty() ? Optional.empty() : view.namespace().link(present.get());
            Optional<FilePath> path =
                    link.isEmpty() ? Optional.empty() : view.namespace().pathOf(link.get());
            return path.map(FilePath::value)
                    .orElse("bytes that only snapshots or clones of directories keep (version %s)"
                            .formatted(content.version()));
        }
    }
}
