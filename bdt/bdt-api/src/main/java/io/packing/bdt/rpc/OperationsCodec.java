package io.packing.bdt.rpc;

import io.packing.bdt.MountStatus;

/** How mounts are, as messages. */
public final class OperationsCodec {
    private OperationsCodec() {}

    public static MountStatusMessage encode(MountStatus status) {
        MountStatusMessage.Builder message = MountStatusMessage.newBuilder()
                .setMount(status.mount())
                .setStore(status.store())
                .setStatistics(BdtCodec.statistics(status.statistics()))
                .setMasterRequests(ActivityCodec.encode(status.masterRequests()))
                .setWorkerRequests(ActivityCodec.encode(status.workerRequests()))
                .setProblem(status.problem());
        status.workers().forEach(worker -> message.addWorkers(BdtCodec.worker(worker)));
        return message.build();
    }

    public static MountStatus decode(MountStatusMessage m) {
        return new MountStatus(
                m.getMount(),
                m.getStore(),
                BdtCodec.statistics(m.getStatistics()),
                m.getWorkersList().stream().map(BdtCodec::worker).toList(),
                ActivityCodec.decode(m.getMasterRequests()),
                ActivityCodec.decode(m.getWorkerRequests()),
                m.getProblem());
    }
}
