// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

/** A fault of a round, which happens while clients go on. */
enum MasterGroupAct {
    KILL_LEADER(true),
    KILL_FOLLOWER(true),
    /** The leader is suspended for longer than its lease, and goes on. */
    STOP_LEADER(true),
    /** The leader and the other masters do not reach each other. Clients reach the leader. */
    CUT_LEADER(true),
    /** The leader and one follower do not reach each other; both reach the third master. */
    CUT_PAIR(true),
    /** The other masters open no connection to the leader; the leader still opens connections to them. */
    CUT_HALF(true),
    /** One client does not reach the leader. */
    CUT_CLIENTS(false),
    /** A worker does not reach the leader. */
    CUT_WORKER(false),
    /** The store refuses all requests. */
    STORE_OUT(true),
    /** The store answers late. */
    STORE_SLOW(true),
    /** The leader is killed during an outage of the store; a new leader has to wait for the store. */
    KILL_LEADER_STORE_OUT(false),
    /** The leader's disk is full. */
    FULL_LEADER(false),
    /** A follower's disk is full. */
    FULL_FOLLOWER(true),
    FULL_WORKER(false),
    /** The leader's clock is set to another time, and back. */
    CLOCK_LEADER(true),
    CLOCK_FOLLOWER(true),
    CLOCK_WORKER(true),
    /** Each process gets another key and certificate, and the leader restarts: new connections use them. */
    ROTATE_CERTIFICATES(true),
    /** The authority of all certificates is replaced. */
    ROTATE_AUTHORITY(true),
    KILL_ALL_MASTERS(false),
    KILL_WORKER(false),
    KILL_CLIENT(false);

    private final boolean served;

    MasterGroupAct(boolean served) {
        this.served = served;
    }

    /** Returns whether the act needs certificates. */
    boolean isOfGuard() {
        return name().startsWith("ROTATE");
    }

    /** Returns whether the service must go on during the act; otherwise it must be back after the act. */
    boolean isServed() {
        return served;
    }
}
