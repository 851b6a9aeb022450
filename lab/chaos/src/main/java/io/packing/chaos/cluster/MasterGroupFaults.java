// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import java.io.IOException;
import java.util.List;

/** Faults of a group's surroundings: cut networks, full disks, wrong clocks, other certificates. */
public final class MasterGroupFaults {
    private final List<String> masters;
    private final Network network;
    private final ProcessDisks disks;
    private final ProcessClocks clocks;
    private final Guard guard;

    MasterGroupFaults(List<String> masters, Network network, ProcessDisks disks, ProcessClocks clocks, Guard guard) {
        this.masters = masters;
        this.network = network;
        this.disks = disks;
        this.clocks = clocks;
        this.guard = guard;
    }

    /**
     * Cuts a master off from the other masters.
     *
     * @param silent whether connections stay open but pass no bytes; otherwise both sides see them closed
     */
    public void cutOff(String id, boolean silent) {
        cutOthersFrom(id, silent);
        for (String other : masters) {
            network.cut(id, other, silent);
        }
    }

    /** Cuts the ways from the other masters to one master, which still reaches them. */
    public void cutOthersFrom(String id, boolean silent) {
        for (String other : masters) {
            network.cut(other, id, silent);
        }
    }

    /** Cuts the way from one master to another one. */
    public void cut(String from, String to, boolean silent) {
        network.cut(from, to, silent);
    }

    /** Cuts a client off from a master. */
    public void cutClient(int client, String id, boolean silent) {
        network.cut("client-" + client, id, silent);
    }

    /** Cuts a worker off from a master. */
    public void cutWorker(int worker, String id, boolean silent) {
        network.cut(MasterGroupProcesses.worker(worker), id, silent);
    }

    /** Undoes all faults: joins networks, frees disks, and sets clocks right. */
    public void heal() throws IOException, InterruptedException {
        network.heal();
        disks.empty();
        clocks.setAll(0);
    }

    /** Returns whether this machine lets disks become full. */
    public boolean hasDisks() {
        return disks.isThere();
    }

    public void fillMaster(String id) throws IOException, InterruptedException {
        disks.fill(id);
    }

    public void fillWorker(int i) throws IOException, InterruptedException {
        disks.fill(MasterGroupProcesses.worker(i));
    }

    /** Returns whether this machine lets clocks be set. */
    public boolean hasClocks() {
        return clocks.isThere();
    }

    /** Sets a master's clock to a distance from the right time. */
    public void setMasterClock(String id, long seconds) throws IOException {
        setClock(id, seconds);
    }

    /** Sets a worker's clock to a distance from the right time. */
    public void setWorkerClock(int i, long seconds) throws IOException {
        setClock(MasterGroupProcesses.worker(i), seconds);
    }

    private void setClock(String process, long seconds) throws IOException {
        if (clocks.isThere()) {
            clocks.set(process, seconds);
        }
    }

    /** Returns whether the processes have certificates. */
    public boolean isGuarded() {
        return guard.isThere();
    }

    /** Gives each process another key and certificate of the same authority. */
    public void rotateCertificates() throws IOException {
        guard.rotate();
    }

    /** Makes all processes trust a further authority. */
    public void addAuthority() throws IOException {
        guard.addAuthority();
    }

    /** Makes all processes trust only the authority that was added last. */
    public void dropAuthorities() throws IOException {
        guard.dropAuthorities();
    }
}
