// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.cloud.TakeOvers;
import io.packing.bdt.master.spread.MountTable;
import io.packing.bdt.master.spread.RemoteTable;
import io.packing.bdt.master.spread.TableOfMounts;
import io.packing.bdt.master.texts.MasterTexts;
import io.packing.transport.Security;
import java.io.IOException;
import java.util.Optional;

/** The wiring of a master whose group has some of the mounts, and other groups the others. */
final class Spreading implements AutoCloseable {
    private final MountMoves moves;
    private final Optional<GrpcBdts> first;

    private Spreading(MountMoves moves, Optional<GrpcBdts> first) {
        this.moves = moves;
        this.first = first;
    }

    /**
     * Wires it.
     *
     * @param mounts which are opened from now on as the table says
     */
    static Spreading wire(
            BdtMasterOptions config,
            DataDirectory data,
            MasterSite site,
            MountTables tables,
            MountOpener opener,
            TakeOvers takeOvers,
            OpenMounts mounts,
            MoveCounts counts)
            throws IOException {
        Federation groups = config.groups();
        Security security = config.access().security();
        Optional<MountTable> own = Optional.empty();
        Optional<GrpcBdts> first = Optional.empty();
        TableOfMounts table;
        if (groups.hasTable()) {
            MasterTexts texts = site.group().isPresent() ? site.group().get().texts() : MasterTexts.in(data.mounts());
            MountTable here = new MountTable(texts);
            own = Optional.of(here);
            table = here;
        } else {
            GrpcBdts there = GrpcBdts.ofMasters(groups.addresses(groups.first()), MountMoves.PATIENCE, security);
            first = Optional.of(there);
            table = new RemoteTable(there.groups());
        }
        Admission admission = new Admission(groups, table, tables, opener);
        mounts.admitBy(admission);
        Arrivals arrivals =
                new Arrivals(opener, tables, takeOvers, mounts, site.clocks().nanos());
        return new Spreading(
                new MountMoves(mounts, opener, admission, own, arrivals, security, site.clocks(), counts), first);
    }

    MountMoves moves() {
        return moves;
    }

    @Override
    public void close() {
        moves.close();
        first.ifPresent(GrpcBdts::close);
    }
}
