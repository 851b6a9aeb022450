package io.packing.chaos.cluster;

import java.io.IOException;
import java.util.List;

/** What can be done to the processes of a group from outside: cut networks, full disks, wrong clocks, other certificates. */
public final class GroupFaults {
    private final List<String> masters;
    private final Network network;
    private final ProcessDisks disks;
    private final ProcessClocks clocks;
    private final Guard guard;

    GroupFaults(List<String> masters, Network network, ProcessDisks disks, ProcessClocks clocks, Guard guard) {
        this.masters = masters;
        this.network = network;
        this.disks = disks;
        this.clocks = clocks;
        this.guard = guard;
    }

    /**
     * Cuts a master off from the others.
     *
     * @param silent whether nothing is heard any more; otherwise both sides are told that their connections are gone
     */
    public void cutOff(String id, boolean silent) {
        cutOthersFrom(id, silent);
        for (String other : masters) {
            network.cut(id, other, silent);
        }
    }

    /** Cuts the ways from the other masters to one, which still reaches them. */
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
        network.cut(Group.worker(worker), id, silent);
    }

    /** Everybody reaches everybody, there is room on all disks, and clocks are right. */
    public void heal() throws IOException, InterruptedException {
        network.heal();
        disks.empty();
        clocks.setAll(0);
    }

    /** Whether disks can become full here. */
    public boolean hasDisks() {
        return disks.isThere();
    }

    /** Fills the disk of a master. */
    public void fillMaster(String id) throws IOException, InterruptedException {
        disks.fill(id);
    }

    /** Fills the disk of a worker. */
    public void fillWorker(int i) throws IOException, InterruptedException {
        disks.fill(Group.worker(i));
    }

    /** Whether clocks can be set here. */
    public boolean hasClocks() {
        return clocks.isThere();
    }

    /** From now on a master's clock is so far from the right time. */
    public void setMasterClock(String id, long seconds) throws IOException {
        setClock(id, seconds);
    }

    /** From now on a worker's clock is so far from the right time. */
    public void setWorkerClock(int i, long seconds) throws IOException {
        setClock(Group.worker(i), seconds);
    }

    private void setClock(String process, long seconds) throws IOException {
        if (clocks.isThere()) {
            clocks.set(process, seconds);
        }
    }

    /** Whether there are certificates. */
    public boolean isGuarded() {
        return guard.isThere();
    }

    /** Gives each process another key and certificate of the same authority. */
    public void rotateCertificates() throws IOException {
        guard.rotate();
    }

    /** Trusts another authority, too. */
    public void addAuthority() throws IOException {
        guard.addAuthority();
    }

    /** Trusts nobody but the authority that was added last. */
    public void dropAuthorities() throws IOException {
        guard.dropAuthorities();
    }
}
