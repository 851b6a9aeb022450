// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value of each simulated thread. The values of the JDK's own class are those of the real thread, on which simulated ones run one after
 * another.
 *
 * @param <T> of the values
 */
public final class SimulatedThreadLocal<T extends @Nullable Object> extends ThreadLocal<T> {
    private final Supplier<? extends T> first;

    @SuppressWarnings("NullAway") // As that of the JDK, a value is null at first.
    public SimulatedThreadLocal() {
        this(() -> null);
    }

    public SimulatedThreadLocal(Supplier<? extends T> first) {
        this.first = first;
    }

    @Override
    protected T initialValue() {
        return first.get();
    }

    @Override
    @SuppressWarnings("unchecked") // A thread has under this key what was set here.
    public T get() {
        SimulatedThread me = SimulatedThread.running();
        return me == null ? super.get() : (T) me.locals().computeIfAbsent(this, unset -> initialValue());
    }

    @Override
    public void set(T value) {
        SimulatedThread me = SimulatedThread.running();
        if (me == null) {
            super.set(value);
        } else {
            Object unused = me.locals().put(this, value);
        }
    }

    @Override
    public void remove() {
        SimulatedThread me = SimulatedThread.running();
        if (me == null) {
            super.remove();
        } else {
            Object unused = me.locals().remove(this);
        }
    }
}
