// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import io.packing.bdt.Departure;
import io.packing.bdt.MountStatus;
import java.util.Optional;

/** The translation of the status of mounts to messages and back. */
public final class OperationsCodec {
    private OperationsCodec() {}

    public static MountStatusMessage encode(MountStatus status) {
        MountStatusMessage.Builder message = MountStatusMessage.newBuilder()
                .setMount(status.mount())
                .setStore(status.store())
                .setStatistics(StatisticsCodec.statistics(status.statistics()))
                .setMasterRequests(ActivityCodec.encode(status.masterRequests()))
                .setWorkerRequests(ActivityCodec.encode(status.workerRequests()))
                .setProblem(status.problem())
                .addAllLostPaths(status.lostPaths())
                .addAllNotes(status.notes());
        status.evacuation().map(HomesCodec::encode).ifPresent(message::setEvacuation);
        status.workers().forEach(worker -> message.addWorkers(BdtCodec.worker(worker)));
        return message.build();
    }

    public static DepartureMessage encode(Departure departure) {
        return DepartureMessage.newBuilder()
                .setMount(departure.mount())
                .setStore(departure.store())
                .setState(
                        switch (departure.state()) {
                            case LEAVING -> DepartureMessage.State.LEAVING;
                            case LEFT -> DepartureMessage.State.LEFT;
                            case GONE -> DepartureMessage.State.GONE;
                        })
                .setBufferedFiles(departure.bufferedFiles())
                .setBufferedBytes(departure.bufferedBytes())
                .build();
    }

    /** Decodes a departure; an unknown state of a newer version counts as gone, since the worker may hold files. */
    public static Departure decode(DepartureMessage m) {
        Departure.State state = switch (m.getState()) {
            case LEAVING -> Departure.State.LEAVING;
            case LEFT -> Departure.State.LEFT;
            default -> Departure.State.GONE;
        };
        return new Departure(m.getMount(), m.getStore(), state, m.getBufferedFiles(), m.getBufferedBytes());
    }

    public static MountStatus decode(MountStatusMessage m) {
        return new MountStatus(
                m.getMount(),
                m.getStore(),
                StatisticsCodec.statistics(m.getStatistics()),
                m.getWorkersList().stream().map(BdtCodec::worker).toList(),
                ActivityCodec.decode(m.getMasterRequests()),
                ActivityCodec.decode(m.getWorkerRequests()),
                m.getProblem(),
                m.getLostPathsList(),
                m.getNotesList(),
                m.hasEvacuation() ? Optional.of(HomesCodec.decode(m.getEvacuation())) : Optional.empty());
    }
}
