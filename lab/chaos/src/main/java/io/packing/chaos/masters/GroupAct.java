package io.packing.chaos.masters;

/** What is done to the processes of a round while clients go on. */
enum GroupAct {
    KILL_LEADER(true),
    KILL_FOLLOWER(true),
    /** The leader is stopped for longer than its lease, and goes on. */
    STOP_LEADER(true),
    /** No master reaches the leader, nor it them. Clients reach it. */
    CUT_LEADER(true),
    /** One follower and the leader do not reach each other; both reach the third. */
    CUT_PAIR(true),
    /** The other masters open no connection to the leader, which still opens some to them. */
    CUT_HALF(true),
    /** Some clients do not reach the leader. */
    CUT_CLIENTS(false),
    /** A worker does not reach the leader. */
    CUT_WORKER(false),
    /** The store refuses everything. */
    STORE_OUT(true),
    /** The store answers late. */
    STORE_SLOW(true),
    /** While the store is out; a new leader has to wait for it. */
    KILL_LEADER_STORE_OUT(false),
    /** The leader's disk has no room. */
    FULL_LEADER(false),
    /** A follower's disk has none. */
    FULL_FOLLOWER(true),
    FULL_WORKER(false),
    /** The leader's clock is set to another time, and back. */
    CLOCK_LEADER(true),
    CLOCK_FOLLOWER(true),
    CLOCK_WORKER(true),
    /** Each process gets another key and certificate, and the leader ends: new connections use them. */
    ROTATE_CERTIFICATES(true),
    /** The authority of all certificates is replaced. */
    ROTATE_AUTHORITY(true),
    KILL_ALL_MASTERS(false),
    KILL_WORKER(false),
    KILL_CLIENT(false);

    private final boolean served;

    GroupAct(boolean served) {
        this.served = served;
    }

    /** Whether it needs certificates. */
    boolean isOfGuard() {
        return name().startsWith("ROTATE");
    }

    /** Whether the service has to go on meanwhile; otherwise it has to be back after the act. */
    boolean isServed() {
        return served;
    }
}
