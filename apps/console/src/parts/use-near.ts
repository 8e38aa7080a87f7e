import { useEffect, useRef, useState } from "react"

/** True from the first time on that the place comes near to the screen. */
export function useNear<Place extends HTMLElement>() {
  const place = useRef<Place>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (place.current === null || isNear) return
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: "600px",
    })
    watcher.observe(place.current)
    return () => watcher.disconnect()
  }, [isNear])
  return [place, isNear] as const
}
