// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.lang.ref.WeakReference;

/**
 * A weak reference that the collector never clears: no seed determines when it runs.
 *
 * @param <T> of the referent
 */
public final class SimulatedWeakReference<T> extends WeakReference<T> {
    private final T referent;

    public SimulatedWeakReference(T referent) {
        super(referent);
        this.referent = referent;
    }

    @Override
    public T get() {
        return referent;
    }
}
