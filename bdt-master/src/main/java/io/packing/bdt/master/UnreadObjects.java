// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.operation.LossAcceptance;
import io.packing.bdt.master.table.row.Undone;
import io.packing.bdt.master.table.row.Unread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Objects that recoveries of a mount could not read, until the operator accepts it. Thread-safe. */
final class UnreadObjects {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadObjects.class);

    private final String mount;
    private final Table table;

    UnreadObjects(String mount, Table table) {
        this.mount = mount;
        this.table = table;
    }

    /** Returns the number of a table's unread objects; NaN: it cannot be asked. */
    static double count(Table table) {
        try {
            return Unread.load(table.rows()).size();
        } catch (IOException | RuntimeException e) {
            LOG.debug("a table cannot be asked for unread objects, which its writer tells", e);
            return Double.NaN;
        }
    }

    /** Returns why an operator must decide; empty: everything was read, or was accepted. */
    Optional<String> problem() {
        List<Unread> all;
        try {
            all = Unread.load(table.rows());
        } catch (IOException | RuntimeException e) {
            LOG.debug("mount {}: its table cannot be asked, which its writer tells", mount, e);
            return Optional.empty();
        }
        return all.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        ("a recovery could not read %d objects (%s%s), so files, and attributes of directories, may be older than what was"
                                        + " written: packing fsck names the files. Put the objects back and recover again, or go on with packing mounts accept")
                                .formatted(all.size(), all.get(0), all.size() > 1 ? ", …" : ""));
    }

    /** Returns a note on changes that a recovery may have undone; empty: it undid none, or the operator has accepted it. */
    Optional<String> note() {
        try {
            return Undone.find(table.rows()).map(Undone::toString);
        } catch (IOException | RuntimeException e) {
            LOG.debug("mount {}: its table cannot be asked, which its writer tells", mount, e);
            return Optional.empty();
        }
    }

    /** Forgets them, and what was undone; returns what that was, for people. */
    List<String> accept() throws IOException {
        List<String> accepted = new ArrayList<>();
        Waiting.on(table.writer().submit(LossAcceptance::unread)).forEach(each -> accepted.add(each.toString()));
        Waiting.on(table.writer().submit(LossAcceptance::undone)).ifPresent(each -> accepted.add(each.toString()));
        LOG.warn("mount {}: the operator goes on without what could not be read: {}", mount, accepted);
        return accepted;
    }
}
