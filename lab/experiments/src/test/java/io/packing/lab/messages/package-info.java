@NullMarked
package io.packing.lab.messages;

import org.jspecify.annotations.NullMarked;
