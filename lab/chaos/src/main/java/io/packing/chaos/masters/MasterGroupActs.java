// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import io.packing.chaos.cluster.MasterGroupFaults;
import io.packing.chaos.cluster.MasterGroupProcesses;
import io.packing.s3server.Faults;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Performs a plan's acts on the processes of a group, and undoes them. */
final class MasterGroupActs {
    private static final Faults OUT = new Faults(0.5, 0.5, 0, 0, 0, 0, Duration.ZERO, 1);
    private static final Faults SLOW = new Faults(0, 0, 0, 0, 1, 0, Duration.ofMillis(400), 1);
    /** The acknowledged changes of each client that prove the service: as many come before and after an act. */
    private static final int ENOUGH = 20;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** The distances of wrong clocks from the right time. */
    private static final List<Long> CLOCK_SECONDS = List.of(-3_600L, -30L, -2L, 2L, 30L, 3_600L);
    /** The pause between the steps of replacing an authority: by its end each process has seen the step. */
    private static final long SEEN_MILLIS = 1_000;

    private final MasterGroupProcesses group;
    private final MasterGroupFaults faults;
    private final Outages outages;

    MasterGroupActs(Ground ground) {
        this.group = ground.group();
        this.faults = group.faults();
        this.outages = ground.outages();
    }

    /** Returns whether this machine can play an act: not each one lets this process mount or set clocks. */
    boolean canPlay(MasterGroupAct act) {
        return switch (act) {
            case FULL_LEADER, FULL_FOLLOWER, FULL_WORKER -> faults.hasDisks();
            case CLOCK_LEADER, CLOCK_FOLLOWER, CLOCK_WORKER -> faults.hasClocks();
            default -> true;
        };
    }

    /** Plays an act, waits until all clients are served again, and returns the longest time in which one was not. */
    Duration play(MasterGroupPlan.Step step) throws IOException, InterruptedException {
        outages.await(ENOUGH, PATIENCE);
        Sleep.millis(step.before());
        String leader = group.leader();
        List<String> followers = new ArrayList<>(group.masters());
        followers.remove(leader);
        String follower = followers.get(step.which() % followers.size());
        outages.begin();
        switch (step.act()) {
            case KILL_LEADER -> killMasters(List.of(leader), step);
            case KILL_FOLLOWER -> killMasters(List.of(follower), step);
            case KILL_ALL_MASTERS -> killMasters(group.masters(), step);
            case STOP_LEADER -> {
                group.suspendMaster(leader);
                Sleep.millis(step.lasts());
                group.resumeMaster(leader);
            }
            case CUT_LEADER -> {
                faults.cutOff(leader, step.silent());
                Sleep.millis(step.lasts());
            }
            case CUT_PAIR -> {
                faults.cut(leader, follower, step.silent());
                faults.cut(follower, leader, step.silent());
                Sleep.millis(step.lasts());
            }
            case CUT_HALF -> {
                faults.cutOthersFrom(leader, step.silent());
                Sleep.millis(step.lasts());
            }
            case CUT_CLIENTS -> {
                faults.cutClient(step.which() % group.clients().size(), leader, step.silent());
                Sleep.millis(step.lasts());
            }
            case CUT_WORKER -> {
                faults.cutWorker(step.which() % group.workers(), leader, step.silent());
                Sleep.millis(step.lasts());
            }
            case STORE_OUT -> {
                group.store().inject(OUT);
                Sleep.millis(step.lasts());
            }
            case STORE_SLOW -> {
                group.store().inject(SLOW);
                Sleep.millis(step.lasts());
            }
            case KILL_LEADER_STORE_OUT -> {
                group.store().inject(OUT);
                killMasters(List.of(leader), step);
            }
            case FULL_LEADER -> {
                faults.fillMaster(leader);
                Sleep.millis(step.lasts());
            }
            case FULL_FOLLOWER -> {
                faults.fillMaster(follower);
                Sleep.millis(step.lasts());
            }
            case FULL_WORKER -> {
                faults.fillWorker(step.which() % group.workers());
                Sleep.millis(step.lasts());
            }
            case CLOCK_LEADER -> {
                faults.setMasterClock(leader, seconds(step));
                Sleep.millis(step.lasts());
            }
            case CLOCK_FOLLOWER -> {
                faults.setMasterClock(follower, seconds(step));
                Sleep.millis(step.lasts());
            }
            case CLOCK_WORKER -> {
                faults.setWorkerClock(step.which() % group.workers(), seconds(step));
                Sleep.millis(step.lasts());
            }
            case ROTATE_CERTIFICATES -> {
                faults.rotateCertificates();
                killMasters(List.of(leader), step);
            }
            case ROTATE_AUTHORITY -> {
                faults.addAuthority();
                Sleep.millis(SEEN_MILLIS);
                faults.rotateCertificates();
                Sleep.millis(SEEN_MILLIS);
                faults.dropAuthorities();
                killMasters(List.of(leader), step);
            }
            case KILL_WORKER -> killWorker(step);
            case KILL_CLIENT -> killClient(step);
        }
        faults.heal();
        group.store().inject(Faults.NONE);
        if (!step.act().isServed()) {
            outages.begin();
        }
        outages.await(ENOUGH, PATIENCE);
        group.check();
        return outages.longest();
    }

    private static long seconds(MasterGroupPlan.Step step) {
        return CLOCK_SECONDS.get(step.which() % CLOCK_SECONDS.size());
    }

    private void killMasters(List<String> ids, MasterGroupPlan.Step step) throws IOException, InterruptedException {
        for (String id : ids) {
            group.killMaster(id);
        }
        Sleep.millis(step.lasts());
        group.startMasters(ids);
    }

    private void killWorker(MasterGroupPlan.Step step) throws IOException, InterruptedException {
        int worker = step.which() % group.workers();
        group.killWorker(worker);
        Sleep.millis(step.lasts());
        group.startWorker(worker);
    }

    private void killClient(MasterGroupPlan.Step step) throws IOException, InterruptedException {
        int client = step.which() % group.clients().size();
        group.clients().get(client).kill();
        Sleep.millis(step.lasts());
        group.clients().get(client).restart();
    }
}
