// The allocator that one writes first: free spans in a std::multimap by size and in a std::map by
// place, the best fit taken, neighbours merged. bench/pool.c compares the span pool with it.
#include <cstddef>
#include <map>

namespace {

typedef std::map<size_t, std::multimap<size_t, size_t>::iterator> by_place_t;

struct best_fit {
    std::multimap<size_t, size_t> by_size;      // size -> start
    by_place_t by_place;                        // start -> its entry there
    size_t end;
};

void insert(best_fit *b, size_t start, size_t count)
{
    b->by_place[start] = b->by_size.insert(std::make_pair(count, start));
}

void remove(best_fit *b, by_place_t::iterator it)
{
    b->by_size.erase(it->second);
    b->by_place.erase(it);
}

}

extern "C" {

void *multimap_open(void);
void multimap_close(void *p);
size_t multimap_append(void *p, size_t count);
void multimap_free(void *p, size_t start, size_t count);

void *multimap_open(void)
{
    best_fit *b = new best_fit();
    b->end = 0;
    return b;
}

void multimap_close(void *p)
{
    delete static_cast<best_fit *>(p);
}

size_t multimap_append(void *p, size_t count)
{
    best_fit *b = static_cast<best_fit *>(p);
    std::multimap<size_t, size_t>::iterator fit = b->by_size.lower_bound(count);
    size_t start = b->end;
    if (fit == b->by_size.end()) {
        b->end += count;
        return start;
    }
    const size_t held = fit->first;
    start = fit->second;
    remove(b, b->by_place.find(start));
    if (held > count) insert(b, start + count, held - count);
    return start;
}

void multimap_free(void *p, size_t start, size_t count)
{
    best_fit *b = static_cast<best_fit *>(p);
    by_place_t::iterator next = b->by_place.lower_bound(start);
    if (next != b->by_place.end() && next->first == start + count) {
        count += next->second->first;
        by_place_t::iterator gone = next++;
        remove(b, gone);
    }
    if (next != b->by_place.begin()) {
        by_place_t::iterator prev = next;
        --prev;
        if (prev->first + prev->second->first == start) {
            start = prev->first;
            count += prev->second->first;
            remove(b, prev);
        }
    }
    if (start + count == b->end) b->end = start;
    else insert(b, start, count);
}

}
