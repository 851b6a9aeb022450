// SPDX-License-Identifier: Apache-2.0
package io.packing.linear;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A checker of histories. It looks for an order of the operations in which each has its recorded outcome, and no
 * operation comes before one that ended before its call.
 *
 * <p>The search is that of Wing and Gong, <em>Testing and Verifying Concurrent Objects</em> (1993). It remembers the
 * configurations that led nowhere, as in Lowe, <em>Testing for Linearizability</em> (2017). A configuration is the set
 * of ordered operations and the state after them. The checker stores it as the operations that are left before the last
 * ordered one. These are about as many as there are clients, however long the history is.
 *
 * <p>An operation without an end is tried when no other one can come next, and need not come at all. So a configuration
 * leads nowhere if an otherwise equal one with fewer such operations did.
 *
 * <p>A history of several independent objects is linearizable if the history of each is (Herlihy and Wing, 1990).
 * Callers pass one history for each object.
 */
public final class Linearizability<S, O> {
    private final SequentialModel<S, O> model;
    /** The operations with an end, in the order of their calls. */
    private final List<Timed<O>> ended;

    private final List<Timed<O>> open;
    private final long most;
    /** The sets of open operations with which each configuration was reached. */
    private final Map<Configuration<S>, List<int[]>> seen = new HashMap<>();

    private final Deque<Frame<S>> path = new ArrayDeque<>();
    private long configurations;
    private Frame<S> deepest;

    /** A configuration without the open operations that have come. */
    private static final class Configuration<S> {
        /** The place after the last ended operation that was ordered. */
        private final int front;
        /** The places before the front whose operations are not ordered yet. */
        private final int[] left;

        private final S state;

        Configuration(int front, int[] left, S state) {
            this.front = front;
            this.left = left;
            this.state = state;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Configuration<?> that
                    && front == that.front
                    && Arrays.equals(left, that.left)
                    && state.equals(that.state);
        }

        @Override
        public int hashCode() {
            return (front * 31 + Arrays.hashCode(left)) * 31 + state.hashCode();
        }
    }

    /** A configuration on the current path, and the operations tried from it. */
    private static final class Frame<S> {
        private final Configuration<S> at;
        private final int[] used;
        private final int[] next;
        /** The earliest end of the operations that are left: an operation with a later call cannot come next. */
        private final long firstEnd;

        private int tried;
        private int openTried;

        Frame(Configuration<S> at, int[] used, int[] next, long firstEnd) {
            this.at = at;
            this.used = used;
            this.next = next;
            this.firstEnd = firstEnd;
        }

        int done() {
            return at.front - at.left.length;
        }

        void tryNothingElse() {
            tried = next.length;
            openTried = Integer.MAX_VALUE;
        }
    }

    private Linearizability(SequentialModel<S, O> model, List<Timed<O>> history, long most) {
        this.model = model;
        Comparator<Timed<O>> byCall = Comparator.comparingLong(Timed<O>::call);
        this.ended =
                history.stream().filter(each -> !each.isOpen()).sorted(byCall).toList();
        this.open = history.stream().filter(Timed::isOpen).sorted(byCall).toList();
        this.most = most;
        this.deepest = frame(new Configuration<>(0, new int[0], model.initial()), new int[0]);
    }

    /**
     * Checks the history of one object.
     *
     * @param most limit of configurations to try
     */
    public static <S, O> Finding<O> check(SequentialModel<S, O> model, List<Timed<O>> history, long most) {
        return new Linearizability<>(model, history, most).search();
    }

    private Finding<O> search() {
        path.push(deepest);
        while (!path.isEmpty()) {
            Frame<S> top = path.element();
            if (top.done() > deepest.done()) {
                deepest = top;
            }
            if (top.done() == ended.size()) {
                return new Finding<>(Finding.Verdict.LINEARIZABLE, configurations, "", List.of());
            }
            if (configurations >= most) {
                return finding(Finding.Verdict.UNDECIDED);
            }
            if (top.tried < top.next.length) {
                comeEnded(top, top.next[top.tried++]);
            } else if (top.openTried < open.size() && open.get(top.openTried).call() <= top.firstEnd) {
                comeOpen(top, top.openTried++);
            } else {
                path.pop();
            }
        }
        return finding(Finding.Verdict.NOT_LINEARIZABLE);
    }

    private void comeEnded(Frame<S> top, int place) {
        Optional<S> after = model.step(top.at.state, ended.get(place).operation());
        if (after.isEmpty()) {
            return;
        }
        if (model.isRead(ended.get(place).operation())) {
            // The operation changes no state, so it can come now: every later order stays possible after it.
            top.tryNothingElse();
        }
        push(after(top.at, place, after.get()), top.used);
    }

    private void comeOpen(Frame<S> top, int place) {
        if (Arrays.binarySearch(top.used, place) >= 0) {
            return;
        }
        Optional<S> after = model.step(top.at.state, open.get(place).operation());
        if (after.isPresent() && !after.get().equals(top.at.state)) {
            int[] used = IntStream.concat(Arrays.stream(top.used), IntStream.of(place))
                    .sorted()
                    .toArray();
            push(new Configuration<>(top.at.front, top.at.left, after.get()), used);
        }
    }

    /** Continues from a configuration, unless it was reached before with a subset of these open operations. */
    private void push(Configuration<S> at, int[] used) {
        List<int[]> before = seen.computeIfAbsent(at, unseen -> new ArrayList<>(1));
        if (before.stream().noneMatch(fewer -> isIn(fewer, used))) {
            before.add(used);
            configurations++;
            path.push(frame(at, used));
        }
    }

    private static boolean isIn(int[] fewer, int[] more) {
        return fewer.length <= more.length
                && Arrays.stream(fewer).allMatch(each -> Arrays.binarySearch(more, each) >= 0);
    }

    private Configuration<S> after(Configuration<S> at, int place, S state) {
        if (place < at.front) {
            int[] left = Arrays.stream(at.left).filter(each -> each != place).toArray();
            return new Configuration<>(at.front, left, state);
        }
        int[] left = Arrays.copyOf(at.left, at.left.length + place - at.front);
        for (int i = at.front; i < place; i++) {
            left[at.left.length + i - at.front] = i;
        }
        return new Configuration<>(place + 1, left, state);
    }

    /**
     * Makes a frame with the operations that can come next: those called before the earliest end of all that are left.
     * The first to end is tried first.
     */
    private Frame<S> frame(Configuration<S> at, int[] used) {
        long firstEnd = Timed.NEVER;
        List<Integer> next = new ArrayList<>();
        for (int each : at.left) {
            next.add(each);
            firstEnd = Math.min(firstEnd, ended.get(each).end());
        }
        for (int i = at.front; i < ended.size() && ended.get(i).call() <= firstEnd; i++) {
            next.add(i);
            firstEnd = Math.min(firstEnd, ended.get(i).end());
        }
        next.sort(Comparator.comparingLong(each -> ended.get(each).end()));
        return new Frame<>(at, used, next.stream().mapToInt(Integer::intValue).toArray(), firstEnd);
    }

    private Finding<O> finding(Finding.Verdict verdict) {
        return new Finding<>(
                verdict,
                configurations,
                deepest.at.state.toString(),
                Arrays.stream(deepest.next).mapToObj(ended::get).toList());
    }
}
