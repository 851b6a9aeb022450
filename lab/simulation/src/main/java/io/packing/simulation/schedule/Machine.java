// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.Properties;

/** A simulated machine: the threads that end together when it fails, and a clock of its own. Used by the running thread only. */
public final class Machine {
    private final String name;
    private final String boot;
    private long skewNanos;
    private boolean failed;
    private boolean endsAtSites;
    private boolean standing;
    private boolean standingInShare;
    private final Properties properties = new Properties();

    public Machine(String name) {
        this(name, name);
    }

    /** @param boot the identity of the start of the operating system, which outlives processes and not the power */
    public Machine(String name, String boot) {
        this.name = name;
        this.boot = boot;
    }

    public String name() {
        return name;
    }

    /** Sets the difference of this machine's wall clock to the simulation's. */
    public void skew(long nanos) {
        skewNanos = nanos;
    }

    long skewNanos() {
        return skewNanos;
    }

    /** Returns true from the machine's failure on: its threads end, and its disk and network refuse them. */
    public boolean hasFailed() {
        return failed;
    }

    /** Lets threads of this machine stand still at the sites at which a fault aims, for it to end there. */
    public void endAtSites() {
        endsAtSites = true;
    }

    boolean endsAtSites() {
        return endsAtSites && !standing;
    }

    /** Returns true if a thread stands still at a site. */
    public boolean isStanding() {
        return standing;
    }

    /** Returns true if a thread stands still at a site of the share at which its schedule aims. */
    public boolean isStandingInShare() {
        return standingInShare;
    }

    void stand(boolean inShare) {
        standing = true;
        standingInShare = inShare;
    }

    /** Returns the identity of the start of the operating system. */
    String boot() {
        return boot;
    }

    /** Returns the system properties of the machine's process, by which parts of a process know each other. */
    Properties properties() {
        return properties;
    }

    void fail() {
        failed = true;
    }

    @Override
    public String toString() {
        return name;
    }
}
