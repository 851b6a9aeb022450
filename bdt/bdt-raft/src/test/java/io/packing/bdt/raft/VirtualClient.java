// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import java.util.Optional;
import java.util.Random;

/**
 * A client of a {@link VirtualGroup}. It appends to lists and reads them, one operation after the other, and repeats a
 * request without an answer.
 */
final class VirtualClient {
    private static final long PATIENCE = 50_000;

    private final int id;
    private final boolean onlyReads;
    private final VirtualGroup group;
    private final Random random;
    private long number;
    private long begun;
    private int attempts;
    private int answeredLast;
    private Optional<Request> current = Optional.empty();

    /** A client's request; the number is the client's own. */
    final class Request {
        private final long number;
        private final boolean reads;
        private final String mount;
        private final String list;

        private Request(long number, boolean reads, String mount, String list) {
            this.number = number;
            this.reads = reads;
            this.mount = mount;
            this.list = list;
        }

        int client() {
            return id;
        }

        long number() {
            return number;
        }

        boolean reads() {
            return reads;
        }

        String mount() {
            return mount;
        }

        String list() {
            return list;
        }

        String operation() {
            return "%d.%d".formatted(id, number);
        }

        /** Answers if the member may, with the value that it read a moment ago. */
        void answer(VirtualMember member, String value) {
            if (member.mayAnswer()) {
                answeredLast = member.id();
                group.time().after(random.nextInt(4_000), () -> answered(this, value));
            } else {
                refuse(member);
            }
        }

        void refuse(VirtualMember member) {
            int to = member.raft().leader().orElse(random.nextInt(group.size()));
            int attempt = attempts;
            group.time().after(5_000 + random.nextInt(5_000), () -> {
                if (attempt == attempts && current.filter(each -> each == this).isPresent()) {
                    send(this, to);
                }
            });
        }
    }

    /** @param onlyReads whether it only reads, from the member that answered last, as long as that one answers */
    VirtualClient(int id, boolean onlyReads, VirtualGroup group, Random random) {
        this.id = id;
        this.onlyReads = onlyReads;
        this.group = group;
        this.random = random;
    }

    boolean isWaiting() {
        return current.isPresent();
    }

    /** Begins the next operation, if the schedule is not over. */
    void begin() {
        if (group.isOver()) {
            return;
        }
        String mount = VirtualGroup.MOUNTS.get(random.nextInt(VirtualGroup.MOUNTS.size()));
        Request next = new Request(++number, onlyReads || random.nextInt(3) == 0, mount, "list" + random.nextInt(2));
        current = Optional.of(next);
        begun = group.time().now();
        if (!next.reads) {
            group.history().begins(next.operation(), mount + next.list, begun);
        }
        send(next, onlyReads || random.nextBoolean() ? answeredLast : random.nextInt(group.size()));
    }

    private void send(Request request, int to) {
        int attempt = ++attempts;
        VirtualMember member = group.member(to);
        group.time().after(random.nextInt(4_000), () -> member.deliver(() -> member.ask(request)));
        group.time().after(PATIENCE, () -> {
            if (attempt == attempts && current.filter(each -> each == request).isPresent()) {
                send(request, random.nextInt(group.size()));
            }
        });
    }

    private void answered(Request request, String value) {
        if (current.filter(each -> each == request).isEmpty()) {
            return;
        }
        current = Optional.empty();
        if (request.reads) {
            group.history()
                    .read(
                            request.mount + request.list,
                            value,
                            begun,
                            group.time().now());
        } else {
            group.history().ends(request.operation(), group.time().now());
        }
        group.time().after(random.nextInt(8_000), this::begin);
    }
}
