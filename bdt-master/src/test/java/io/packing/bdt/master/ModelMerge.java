// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import java.util.Optional;

/** Moves all that is in a directory of a model into another one. */
final class ModelMerge {
    private final ByteModel model;

    ModelMerge(ByteModel model) {
        this.model = model;
    }

    boolean merge(String from, String to) {
        if (ModelPaths.isIn(from, to) || !model.isDirectory(from) || from.equals("/") || !model.isDirectory(to)) {
            return false;
        }
        if (!mergeEntries(from, to, from)) {
            return false;
        }
        return model.delete(from);
    }

    boolean mergeEach(String from, Optional<String> except, String to) {
        if (ModelPaths.isIn(from, to) || !model.isDirectory(from) || from.equals("/") || !model.isDirectory(to)) {
            return false;
        }
        for (String name : model.children(from)) {
            if (except.filter(name::equals).isEmpty() && !merge(from + "/" + name, to)) {
                return false;
            }
        }
        return model.delete(from);
    }

    private boolean mergeEntries(String from, String to, String source) {
        if (ModelPaths.isIn(source, to)) {
            return false;
        }
        for (String name : model.children(from)) {
            String a = from + "/" + name;
            String b = to.equals("/") ? "/" + name : to + "/" + name;
            boolean both = model.isDirectory(a) && model.isDirectory(b);
            if (both ? !mergeEntries(a, b, source) : ModelPaths.isIn(b, source)) {
                return false;
            }
            if (!both) {
                if ((model.exists(b) && !model.delete(b)) || model.exists(b)) {
                    return false;
                }
                if (!model.rename(a, b, false)) {
                    return false;
                }
            }
        }
        return true;
    }
}
