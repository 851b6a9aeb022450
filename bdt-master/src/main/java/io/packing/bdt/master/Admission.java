// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.MountEntry;
import io.packing.bdt.MovedException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.spread.TableOfMounts;
import io.packing.store.StoreAddress;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The check that this master's group has a mount: the table of mounts decides, or the epoch in the mount's store after an
 * interrupted move. Thread-safe; one thread at a time opens a mount and asks.
 */
final class Admission {
    private static final Logger LOG = LoggerFactory.getLogger(Admission.class);

    private final Federation groups;
    private final TableOfMounts table;
    private final MountTables tables;
    private final MountOpener opener;

    Admission(Federation groups, TableOfMounts table, MountTables tables, MountOpener opener) {
        this.groups = groups;
        this.table = table;
        this.tables = tables;
        this.opener = opener;
    }

    Federation groups() {
        return groups;
    }

    TableOfMounts table() {
        return table;
    }

    /**
     * Asks before a mount is opened.
     *
     * @param entry of the mount; empty: no group has it
     */
    record Admitted(Optional<MountEntry> entry) {}

    /**
     * Admits a mount, and ends a move of it that was cut off: for the target if the epoch says so, or else for this group.
     *
     * @throws MovedException when another group has it
     */
    Admitted admit(MountRequest request) throws IOException {
        Optional<MountEntry> found;
        try {
            found = table.find(request.id());
        } catch (MovedException e) {
            throw e;
        } catch (UnavailableException e) {
            // A move may have come here before the table went away.
            opener.takeReceived(request);
            if (tables.ready(request.id()).isPresent() && opener.isHeldBy(request, tables.holder())) {
                LOG.warn("mount {}: opened without the table of mounts: {}", request.id(), e.getMessage());
                return new Admitted(Optional.empty());
            }
            throw e;
        }
        if (found.isEmpty()) {
            return new Admitted(found);
        }
        MountEntry entry = found.get();
        if (entry.isMoving()) {
            return moving(request, entry);
        }
        if (!entry.group().equals(groups.own())) {
            throw moved(entry.mount(), entry.group());
        }
        // The source may have said that it has arrived before it was opened here.
        opener.takeReceived(request);
        return new Admitted(found);
    }

    /**
     * Refers the caller to the group that has the mount, if another group has it.
     *
     * @throws MovedException when another group has it
     */
    void sendOn(StoreAddress store) throws IOException {
        Optional<MountEntry> entry =
                table.find(DataDirectory.mountId(store.location().text()));
        if (entry.isPresent() && !entry.get().group().equals(groups.own())) {
            throw moved(entry.get().mount(), entry.get().group());
        }
    }

    private Admitted moving(MountRequest request, MountEntry entry) throws IOException {
        boolean switched = opener.isHeldBy(request, entry.holder());
        if (switched && entry.target().equals(groups.own())) {
            opener.takeReceived(request);
            return new Admitted(changed(entry, entry.arrived()));
        }
        if (switched) {
            Optional<MountEntry> unused = changed(entry, entry.arrived());
            throw moved(entry.mount(), entry.target());
        }
        if (entry.group().equals(groups.own())) {
            LOG.warn("mount {}: its move to group {} was cut off, and is undone", entry.mount(), entry.target());
            return new Admitted(Optional.of(entry));
        }
        throw moved(entry.mount(), entry.group());
    }

    private Optional<MountEntry> changed(MountEntry from, MountEntry to) throws IOException {
        return table.change(from.mount(), Optional.of(from), to);
    }

    /** Enters a mount that was opened, when it was not in the table, or a move of it is undone by that. */
    void opened(MountRequest request, Admitted admitted) {
        MountEntry own =
                new MountEntry(request.id(), request.address().location().text(), groups.own());
        if (admitted.entry().equals(Optional.of(own))) {
            return;
        }
        try {
            Optional<MountEntry> now = table.change(request.id(), admitted.entry(), own);
            LOG.info("mount {} is in the table of mounts: {}", request.id(), now);
        } catch (IOException e) {
            LOG.warn("mount {} is not entered in the table of mounts now: {}", request.id(), e.getMessage());
        }
    }

    /** Returns the answer to a client that asks here for another group's mount. */
    MovedException moved(String mount, String group) {
        return new MovedException(
                "mount %s is one of group %s; this master is of group %s".formatted(mount, group, groups.own()),
                group,
                groups.addresses(group));
    }
}
